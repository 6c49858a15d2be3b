"""The loop of a worker: frames in, answers out."""

import os
import signal
import sys

from assay.serve import frames
from assay.serve.engine_host import Died, EngineHost, Silent


class TypeMemory:
    """Which types an engine takes: asked for where a case of theirs fails."""

    def __init__(self, host, language):
        self.host = host
        self.language = language
        self.reasons = {}  # by type; empty where the engine takes it

    def refusal(self, program):
        """Why a type of the program is refused, as far as is known."""
        for kind in self.language.types(program):
            if self.reasons.get(kind):
                return self.reasons[kind]
        return ""

    def learn(self, program):
        for kind in self.language.types(program):
            if kind not in self.reasons:
                self.reasons[kind] = self.ask(kind)

    def ask(self, kind):
        """What the engine says to the first of the smallest programs, where it takes none."""
        shape, refusals = f"{kind}[2]", []
        for text in self.language.smallest(kind):
            try:
                field, what = self.host.evaluate(text, [(shape, None)], [shape])
            except Silent:
                return ""  # a slow machine says nothing of types
            except Died as death:
                field, what = "crashed", str(death)
            if field == "crashed":
                field = "unsupported"
            if field != "unsupported":
                return ""
            refusals.append(f"{kind}: {what}")
        return refusals[0]


def answer(host, memory, program, inputs, results):
    """A field of an answer and its value. Silent where the engine is, and not for a type: what
    it has started may run on, and ends with the worker."""
    refusal = memory.refusal(program)
    if refusal:
        return "unsupported", refusal
    silence = None
    try:
        field, what = host.evaluate(program, inputs, results)
    except Silent as silent:
        field, what, silence = "failed", "", silent
    except Died as death:
        field, what = "crashed", str(death)
    if field != "results":
        memory.learn(program)
        refusal = memory.refusal(program)
        if refusal:
            return "unsupported", refusal
    if silence:
        raise silence
    return field, what


def cases_of(header, body):
    """Id, program, inputs and results of each case of a frame."""
    at = 0

    def take(size):
        nonlocal at
        if not isinstance(size, int) or not 0 <= size <= len(body) - at:
            raise frames.BadFrame(f"a part of {size} bytes, but {len(body) - at} are left")
        at += size
        return body[at - size:at]

    try:
        for case in header["cases"]:
            program = take(case["program"]).decode()
            inputs = [(part["shape"], take(part["bytes"])) for part in case["inputs"]]
            yield case["id"], program, inputs, [part["shape"] for part in case["results"]]
    except (KeyError, TypeError, UnicodeDecodeError) as error:
        raise frames.BadFrame(f"a run without what it must have: {error!r}") from None


def make_ready(host, memory, programs):
    """Whether the engine outlives it."""
    if len(programs) < 2 or not hasattr(host.engine, "ahead"):
        return True
    return host.ahead([program for program in programs if not memory.refusal(program)])


def answers_to(header, body, host, memory):
    """The header and the body of a frame for each case."""
    cases = list(cases_of(header, body))
    ready, lives = None, True
    for at, (number, program, inputs, shapes) in enumerate(cases):
        if lives and (at == 0 or host.process is not ready):  # it died of the one before
            lives = make_ready(host, memory, [one for _, one, _, _ in cases[at:]])
            ready = host.process
        field, what = answer(host, memory, program, inputs, shapes)
        data = b""
        if field == "results":
            data = b"".join(what)
            what = [{"shape": shape, "bytes": len(part)} for shape, part in zip(shapes, what)]
        yield {"type": "answers", "answers": [{"id": number, field: what}]}, data


def in_one(parts):
    """The frame that several are together."""
    headers, bodies = zip(*parts)
    answers = [answer for header in headers for answer in header["answers"]]
    return {"type": "answers", "answers": answers}, b"".join(bodies)


def private_output():
    """Standard output for frames alone: what an engine prints goes to standard error."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return output


def serve(engine):
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    source, output = sys.stdin.buffer, private_output()
    try:
        hello = frames.receive(source)
        if hello is None:
            return
        if hello[0].get("type") != "hello" or 1 not in (hello[0].get("versions") or []):
            frames.send(output, {"type": "hello", "error": "this worker speaks version 1 alone"})
            return
        in_parts = hello[0].get("parts") is True
        try:
            host = EngineHost(engine, private=(output.fileno(),))
        except ImportError as error:
            frames.send(output, {"type": "hello", "error": f"{error}; {engine.needs}"})
            return
        frames.send(output, {"type": "hello", "version": 1, "name": engine.name,
                             "release": engine.release, "program": engine.language.name,
                             "layouts": "dense", "parts": in_parts,
                             "batch": getattr(engine, "batch", 1) if in_parts else 1,
                             "pace": getattr(engine, "pace", 0.5),
                             "tags": list(getattr(engine, "tags", ()))})
        memory = TypeMemory(host, engine.language)
        while (frame := frames.receive(source)) is not None:
            parts = answers_to(*frame, host, memory)
            for part in parts if in_parts else [in_one(parts)]:
                frames.send(output, *part)
    except (Died, frames.BadFrame, BrokenPipeError) as error:
        sys.exit(f"assay.serve: {error}")
