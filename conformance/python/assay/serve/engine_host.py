"""The process that an engine runs in, and may die in."""

import os
import pickle
import re
import select
import signal
import struct
import time

MOST_SECONDS = 15  # for a case; less than the 20 s that Assay gives a worker
MOST_AHEAD = 4  # for what is ready before the first answer, which Assay awaits for 5 s
MOST_ENDING = 2  # seconds from closing its pipe to its end
GLANCE = 0.1  # how often an end is looked for
MOST_ANSWER = 1 << 35  # bytes, all that a frame can have and more
MOST_WORDS = 400
MOST_BYTES = 1 << 16  # of what it writes to standard error
CHUNK = 1 << 16
STAMP = re.compile(r"^[A-Z]\d{4} [\d:.]+ +\d+ ")  # time and process of a line of a log
SIZE = struct.Struct("<Q")


class Unsupported(Exception):
    """The engine cannot run the program."""


class Died(Exception):
    """The engine's process ended or was ended."""


class Silent(Died):
    """It did not answer in time."""


def write_message(fd, value):
    data = pickle.dumps(value)
    data = memoryview(SIZE.pack(len(data)) + data)
    while data:
        data = data[os.write(fd, data):]


def read_message(fd):
    def take(size):
        parts = []
        while size > 0:
            part = os.read(fd, min(size, CHUNK))
            if not part:
                raise EOFError
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    return pickle.loads(take(*SIZE.unpack(take(SIZE.size))))


def first_line(error):
    """What an error says: the first line that names an error, or else the first."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [""]
    return next((line for line in lines if "error:" in line), lines[0])


def answer_of(engine, function, *arguments):
    """("results", what the function gives), or another field of an answer and why."""
    try:
        return "results", getattr(engine, function)(*arguments)
    except Unsupported as refusal:
        return "unsupported", str(refusal)[:MOST_WORDS]
    except Died as death:  # of a process that is the engine's own affair
        return "crashed", str(death)[:MOST_WORDS]
    except Exception as error:  # whatever the engine throws is its answer
        return "failed", f"{type(error).__name__}: {error}"[:MOST_WORDS]


def work(engine, requests, answers):
    engine.start()
    while True:
        write_message(answers, answer_of(engine, *read_message(requests)))


class EngineProcess:
    """A process of the engine, and what it writes to standard error, of which the start is kept."""

    def __init__(self, engine, private=()):
        requests, answers, words = os.pipe(), os.pipe(), os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            for fd in (requests[1], answers[0], words[0], *private):
                os.close(fd)
            run(engine, requests[0], answers[1], words[1])
        for fd in (requests[0], answers[1], words[1]):
            os.close(fd)
        self.requests, self.answers, self.errors = requests[1], answers[0], words[0]
        for fd in (self.requests, self.answers, self.errors):
            os.set_blocking(fd, False)
        self.watches = [self.answers, self.errors]
        self.words = b""

    def take_words(self):
        try:
            part = os.read(self.errors, CHUNK)
        except BlockingIOError:
            return False
        self.words += part[:MOST_BYTES - len(self.words)]
        if not part and self.errors in self.watches:
            self.watches.remove(self.errors)
        return bool(part)

    def exchange(self, request, seconds):
        """The answer. EOFError where the process ends before; Died after too long, or where what
        came is none."""
        data = pickle.dumps(request)
        left, came = memoryview(SIZE.pack(len(data)) + data), bytearray()
        end = time.monotonic() + seconds
        self.words = b""
        while missing(came):
            if time.monotonic() >= end:
                raise Silent(f"no answer within {seconds:g} s")
            ended = self.has_ended()  # all that it wrote is in the pipe
            readable, writable, _ = select.select(
                self.watches, [self.requests] if left else [], [], 0 if ended else GLANCE)
            if writable:
                left = left[os.write(self.requests, left[:CHUNK]):]
            if self.errors in readable:
                self.take_words()
            part = os.read(self.answers, CHUNK) if self.answers in readable else b""
            # A process that it started may hold the pipe, and write nothing.
            if not part and (ended or self.answers in readable):
                raise EOFError
            came += part
        try:
            field, what = pickle.loads(came[SIZE.size:])
        except Exception as error:  # whatever such bytes are
            raise Died(f"what the engine's process wrote is no answer: {type(error).__name__}"
                       ) from None
        return field, what

    def has_ended(self):
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def end(self):
        """Waits for the process to end, but not for ever; how it did, and what it wrote first."""
        limit = time.monotonic() + MOST_ENDING
        while not self.has_ended() and time.monotonic() < limit:
            time.sleep(0.001)
        os.kill(self.pid, signal.SIGKILL)  # not yet waited for: the number is its own
        _, status = os.waitpid(self.pid, 0)
        for _ in range(MOST_BYTES // CHUNK + 1):
            if not self.take_words():
                break
        for fd in (self.requests, self.answers, self.errors):
            os.close(fd)
        how = (f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status)
               else f"exit code {os.WEXITSTATUS(status)}")
        lines = self.words.decode(errors="replace").splitlines()
        words = next((line for line in lines if line.strip()), "")
        return (f"the engine died ({how}): {STAMP.sub('', words)[:MOST_WORDS]}" if words
                else f"the engine died ({how}) and said nothing")

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)
        return self.end()


def missing(came):
    """How many bytes of an answer have not come, at least. Died where it claims too many."""
    if len(came) < SIZE.size:
        return SIZE.size - len(came)
    size, = SIZE.unpack(came[:SIZE.size])
    if size > MOST_ANSWER:
        raise Died(f"what the engine's process wrote is no answer: it claims {size} bytes")
    return max(SIZE.size + size - len(came), 0)


def run(engine, requests, answers, words):
    """The process of the engine."""
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(words, 2)
        os.close(words)
        work(engine, requests, answers)
    except EOFError:
        os._exit(0)
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(1)


class EngineHost:
    """Hands cases to an engine; after a death to a new process of it, which gets none of the
    files that are `private`."""

    def __init__(self, engine, seconds=MOST_SECONDS, private=()):
        engine.prepare()
        self.engine = engine
        self.seconds = seconds
        self.private = private
        self.process = None

    def end(self):
        self.process.kill()
        self.process = None

    def evaluate(self, program, inputs, results):
        """As answer_of(). Died where the engine does: in a process that ran others before
        these may have damaged it, and the case is asked again in a fresh one."""
        used = self.process is not None
        begin = time.monotonic()
        try:
            return self.ask(("evaluate", program, inputs, results), self.seconds)
        except Silent:
            raise
        except Died:
            left = self.seconds - (time.monotonic() - begin)
            if not used or left <= 0:
                raise
            return self.ask(("evaluate", program, inputs, results), left)

    def ahead(self, programs):
        """Lets the engine make ready what comes next; whether it lives. Dying of that harms no
        case: the next process has nothing ready."""
        try:
            self.ask(("ahead", programs), min(MOST_AHEAD, self.seconds))
            return True
        except Died:
            return False

    def ask(self, request, seconds):
        if self.process is None:
            self.process = EngineProcess(self.engine, self.private)
        try:
            return self.process.exchange(request, seconds)
        except Died:
            self.end()
            raise
        except (EOFError, BrokenPipeError):
            # It closed its pipe by ending: wait before it is killed.
            process, self.process = self.process, None
            death = process.end()
            if self.engine.dying_refusal and re.search(self.engine.dying_refusal, death):
                return "unsupported", death
            raise Died(death) from None
