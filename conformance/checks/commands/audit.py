"""Runs `assay audit` as its users do: backends in this process and in others,
steady ones and such as vary, its file under its schema, its exit codes.

    audit.py ASSAY

The worker of backends/process/examples is made to vary by what stands in its
environment or by how often it was asked.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY = str(pathlib.Path(sys.argv[1]).resolve())
SCHEMA = ROOT / "spec/schema/audit.schema.json"
WORKER = ROOT / "backends/process/examples/worker.py"
PROGRAM = """HloModule t

ENTRY main {
  x = f32[5] parameter(0)
  y = f32[5] parameter(1)
  ROOT r = f32[5] add(x, y)
}
"""
# That worker, with sums that hang on something besides.
VARYING = """
import operator, os, runpy
real, calls = operator.add, 0
def other(a, b):
    global calls
    calls += 1
    return real(a, b) + (1 if {when} else 0)
operator.add = other
runpy.run_path({worker!r}, run_name="__main__")
"""
CORES = len(os.sched_getaffinity(0))


def audit(*arguments):
    done = subprocess.run([ASSAY, "audit", *arguments], cwd=ROOT, text=True, capture_output=True,
                          check=False)
    return done.returncode, done.stdout, done.stderr


def problems_of_file(path):
    import jsonschema
    text = pathlib.Path(path).read_text()
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    document = json.loads(text)
    wrong = [f"{e.json_path}: {e.message}" for e in validator.iter_errors(document)]
    return document, wrong


class Audits:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.program = str(self.folder / "add.hlo")
        pathlib.Path(self.program).write_text(PROGRAM)
        self.wrong = []

    def expect(self, what, arguments, code, verdict, causes):
        """Audits the program and compares what came with what must come."""
        file = str(self.folder / "audit.json")
        got, out, err = audit(self.program, "-i", "random:1", "-o", file, *arguments)
        if got != code:
            self.wrong.append(f"{what}: exit code {got}, not {code}: {out}{err}")
            return
        document, wrong = problems_of_file(file)
        self.wrong += [f"{what}: {line}" for line in wrong]
        program = document["programs"][0]
        found = sorted({finding["cause"] for finding in program["findings"]})
        if (program["steadiness"], found) != (verdict, causes):
            self.wrong.append(f"{what}: {program['steadiness']} by {found}, not {verdict} by {causes}")
        if document["exit_code"] != code:
            self.wrong.append(f"{what}: the file says exit code {document['exit_code']}")

    def worker(self, when):
        script = self.folder / "worker.py"
        script.write_text(VARYING.format(worker=str(WORKER), when=when))
        return f"process:{sys.executable} {script}"


def judge_steady(audits):
    for backend in ("cpu:", "interpreter:", "interpreter:definition",
                    f"process:{sys.executable} {WORKER}"):
        audits.expect(backend, ["-b", backend], 0, "steady", [])


def judge_varying(audits):
    """Each sum has one value, so that none may vary."""
    for cause, when, more in (
            ("run", "calls > 5 and calls <= 10", []),
            ("setting", "'OTHER' in os.environ", ["--also"]),
            ("threads", f"len(os.sched_getaffinity(0)) < {CORES}", [])):
        if cause == "threads" and CORES < 2:
            continue
        backend = audits.worker(when)
        also = ["--also", backend.replace("process:", "process:env OTHER=1 ")] if more else []
        audits.expect(cause, ["-b", backend, *also], 1, "outside", [cause])


def judge_jobs(audits):
    """What is printed and written does not depend on how much is done at once."""
    came = []
    for jobs in "1", "3":
        file = audits.folder / f"jobs{jobs}.json"
        came.append((*audit("add/*:dot/f32/*", "-b", "mutant:truncate-add", "--all", "-o", str(file),
                            "--runs", "2", "--compilations", "0", "--jobs", jobs)[:2],
                     file.read_text()))
    if came[0] != came[1] or came[0][1].count("\n") < 10:
        audits.wrong.append(f"jobs: {came[0][:2]}, but of 3 at once {came[1][:2]}")


READS = """HloModule t

ENTRY main {
  t = token[] after-all()
  i = (s32[2], token[]) infeed(t)
  ROOT r = s32[2] get-tuple-element(i), index=0
}
"""


def judge_infeed(audits):
    program = audits.folder / "reads.hlo"
    program.write_text(READS)
    file = audits.folder / "reads.json"
    for values, code, verdict in ((["{1, 2}"], 0, "steady"), (["{1, 2, 3}"], 1, "outside")):
        given = [word for value in values for word in ("--infeed", value)]
        for backend in "cpu:", "interpreter:":
            got, out, err = audit(str(program), "-b", backend, *given, "-o", str(file))
            found = json.loads(file.read_text())["programs"][0]["steadiness"]
            if (got, found) != (code, verdict):
                audits.wrong.append(f"{backend} reads {values}: {got}, {found}: {out}{err}")
    got, _, err = audit(str(program), "-b", "cpu:")  # the reference misses the values as well
    if got != 1 or "infeed.empty" not in err:
        audits.wrong.append(f"nothing in the infeed: {got}: {err}")
    got, _, err = audit(str(program), "-b", "mutant:drop-nan", "--infeed", "{1, 2}")
    if got != 77 or "gets nothing from the host" not in err:
        audits.wrong.append(f"no infeed: exit code {got}: {err}")


def judge_codes(audits):
    audits.expect("a worker that dies", ["-b", audits.worker("calls > 5 and os._exit(3)")],
                  3, "broken", ["run"])
    audits.expect("a mutant", ["-b", "mutant:truncate-add"], 1, "outside", [])
    unsupported = audit("exponential/f32/values", "-b", f"process:{sys.executable} {WORKER}")
    if unsupported[0] != 77:
        audits.wrong.append(f"unsupported: exit code {unsupported[0]}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        audits = Audits(folder)
        judge_steady(audits)
        judge_varying(audits)
        judge_jobs(audits)
        judge_infeed(audits)
        judge_codes(audits)
    print("\n".join(audits.wrong) or "audit: steady backends are steady, others are named")
    return 1 if audits.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
