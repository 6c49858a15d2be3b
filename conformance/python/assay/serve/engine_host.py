"""The process that an engine runs in, and may die in."""

import os
import pickle
import re
import select
import signal
import struct
import tempfile

MOST_SECONDS = 15  # for a case; less than the 20 s that Assay gives a worker
MOST_WORDS = 400
STAMP = re.compile(r"^[A-Z]\d{4} [\d:.]+ +\d+ ")  # time and process of a line of a log
SIZE = struct.Struct("<Q")


class Unsupported(Exception):
    """The engine cannot run the program."""


class Died(Exception):
    """The engine's process ended or was ended."""


def write_message(fd, value):
    data = pickle.dumps(value)
    data = memoryview(SIZE.pack(len(data)) + data)
    while data:
        data = data[os.write(fd, data):]


def read_bytes(fd, size, seconds):
    parts = []
    while size > 0:
        if seconds and not select.select([fd], [], [], seconds)[0]:
            raise Died(f"no answer within {seconds} s")
        part = os.read(fd, min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def read_message(fd, seconds=None):
    (size,) = SIZE.unpack(read_bytes(fd, SIZE.size, seconds))
    return pickle.loads(read_bytes(fd, size, seconds))


def answer_of(engine, program, inputs, results):
    """("results", bytes of each), or another field of an answer and why."""
    try:
        return "results", engine.evaluate(program, inputs, results)
    except Unsupported as refusal:
        return "unsupported", str(refusal)[:MOST_WORDS]
    except Exception as error:  # whatever the engine throws is its answer
        return "failed", f"{type(error).__name__}: {error}"[:MOST_WORDS]


def work(engine, requests, answers):
    engine.start()
    while True:
        write_message(answers, answer_of(engine, *read_message(requests)))


class EngineHost:
    """Hands cases to an engine; after a death to a new process of it."""

    def __init__(self, engine, seconds=MOST_SECONDS):
        engine.prepare()
        self.engine = engine
        self.seconds = seconds
        self.words = tempfile.TemporaryFile()
        self.pid = None

    def start(self):
        ours, theirs = os.pipe(), os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(ours[1])
                os.close(theirs[0])
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                os.dup2(self.words.fileno(), 2)
                work(self.engine, ours[0], theirs[1])
            except EOFError:
                pass
            except BaseException as error:
                os.write(2, f"{type(error).__name__}: {error}\n".encode())
                os._exit(1)
            finally:
                os._exit(0)
        os.close(ours[0])
        os.close(theirs[1])
        self.requests, self.answers = ours[1], theirs[0]

    def end(self):
        """Ends the process; how it ended."""
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        _, status = os.waitpid(self.pid, 0)
        self.pid = None
        os.close(self.requests)
        os.close(self.answers)
        return status

    def last_words(self):
        self.words.seek(0)
        lines = self.words.read(1 << 16).decode(errors="replace").splitlines()
        words = next((line for line in lines if line.strip()), "")
        return STAMP.sub("", words)[:MOST_WORDS]

    def evaluate(self, program, inputs, results):
        """As answer_of(). Died where the engine does."""
        if self.pid is None:
            self.start()
        self.words.seek(0)
        self.words.truncate()
        try:
            write_message(self.requests, (program, inputs, results))
            return read_message(self.answers, self.seconds)
        except Died:
            self.end()
            raise
        except (EOFError, BrokenPipeError):
            # It closed its pipe by ending: wait before it is killed.
            _, status = os.waitpid(self.pid, 0)
            self.pid = None
            os.close(self.requests)
            os.close(self.answers)
            how = (f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status)
                   else f"exit code {os.WEXITSTATUS(status)}")
            raise Died(f"the engine died ({how}): {self.last_words()}") from None
