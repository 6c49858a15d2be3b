"""IREE's compiler, called in a child of the engine's process: its death and its silence cost
that child, and where it prints, the words are read."""

import contextlib
import os
import re
import select
import signal
import time

from assay.serve.engine_host import MOST_BYTES

MOST_SECONDS = 20  # of a child that nobody waits for
CHUNK = 1 << 20
WARM = ("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %r = stablehlo.add %x, %x : tensor<2xf32>\n  return %r : tensor<2xf32>\n}\n")
OBJECT = re.compile(r"^>>> .*\.o:\(([\w.]+)", re.MULTILINE)
PLACE = re.compile(r'source\.mlir"?:(\d+):\d+')


class Outcome:
    """What came of a compilation: the module, or what was said; `death` where it did not end
    by itself."""

    def __init__(self, module, words, death=""):
        self.module, self.words, self.death = module, words, death

    def lines(self):
        """The lines of the program that errors name, from 1 on."""
        return {int(line) for error in self.words.splitlines() if "error:" in error
                for line in PLACE.findall(error)}

    def objects(self):
        """The parts of object files that the linker names: "main.of.1_dispatch_7_..."."""
        return set(OBJECT.findall(self.words))


class Compiler:
    def __init__(self, flags):
        from iree.compiler import api
        self.api = api
        # Threads would not survive a fork, and help little.
        api._initializeGlobalCL("assay", "--mlir-disable-threading")
        self.session = api.Session()
        self.session.set_flags(*flags)
        self.module_of(WARM)  # what children would each load again

    def module_of(self, text):
        """The bytes of a module; None where the compiler refuses, and says why on standard
        error."""
        with self.api.Source.wrap_buffer(self.session, text.encode()) as source, \
                self.session.invocation() as invocation:
            invocation.enable_console_diagnostics()
            if not invocation.parse_source(source) or not invocation.execute():
                return None
            with self.api.Output.open_membuffer() as output:
                invocation.output_vm_bytecode(output)
                return bytes(output.map_memory())

    def compiled(self, text, seconds=MOST_SECONDS):
        """The Outcome for a program."""
        ours, theirs = os.pipe()
        with contextlib.closing(os.fdopen(os.memfd_create("words"), "r+b")) as words:
            child = os.fork()
            if child == 0:
                self.work(text, theirs, words.fileno())
            os.close(theirs)
            module, in_time = read_all(ours, time.monotonic() + seconds)
            os.close(ours)
            if not in_time:
                os.kill(child, signal.SIGKILL)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            words.seek(0)
            said = words.read(MOST_BYTES).decode(errors="replace")
        if not in_time:
            return Outcome(None, said, f"no answer within {seconds:g} s")
        if status not in (0, 1):
            return Outcome(None, said, f"signal {-status}" if status < 0 else f"exit code {status}")
        return Outcome(module if status == 0 else None, said)

    def work(self, text, answers, words):
        """The child's: writes the module, or ends with 1."""
        signal.alarm(MOST_SECONDS)  # the parent may be killed
        try:
            os.dup2(words, 2)
            module = self.module_of(text)
            if module is None:
                os._exit(1)
            with os.fdopen(answers, "wb") as output:
                output.write(module)
            os._exit(0)
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(2)


def read_all(fd, end):
    """The bytes up to the end of a pipe, and whether it came in time."""
    parts = []
    while True:
        left = end - time.monotonic()
        if left <= 0 or not select.select([fd], [], [], left)[0]:
            return b"".join(parts), False
        part = os.read(fd, CHUNK)
        if not part:
            return b"".join(parts), True
        parts.append(part)
