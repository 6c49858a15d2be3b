"""Runs the hostile programs, and looks at how each of them ends.

    runs.py ASSAY [COMMAND...] [--only NAME] [--interrupt]

COMMAND is eval (the default), explain, bounds, compare, shrink or fmt. A run ends by itself with
an exit code that the commands have, says why where it has no result, and stays within the
memory that it is given. The slowest are printed. With --interrupt each run gets SIGINT
after a while, and those are printed that took longest to end.
"""

import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

import programs

MIB = 1 << 20
ARRAYS = 512 * MIB
BESIDE = 200 * MIB
# A run takes about two seconds; this one is for loaded machines and sanitizers.
LONGEST = 60
# When an interrupted run is, and how long it may go on; it takes milliseconds.
PATIENCE = 0.3
LATEST = 2
LIMIT = [f"--max-memory={ARRAYS}"]
ARGUMENTS = {
    "eval": ["-o", "none", *LIMIT],
    "explain": LIMIT,
    "bounds": LIMIT,
    "compare": ["-b", "interpreter:", *LIMIT],
    "shrink": ["-b", "cpu:", "--timeout=5", "--shrink-time=5", *LIMIT],
    "fmt": ["--check"],
}


def start(assay, command, file, output):
    # A judgement is what these say, and results are what the others print.
    printed = output if command in ("compare", "shrink") else subprocess.DEVNULL
    arguments = list(ARGUMENTS[command])
    if command == "shrink":
        arguments += ["-o", f"{file}.shrunk"]
    return subprocess.Popen([assay, command, file, *arguments], stdin=subprocess.DEVNULL,
                            stdout=printed, stderr=output)


def ended(run):
    """Its exit status and what it used; nothing where it does not end."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        pid, status, used = os.wait4(run.pid, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status), used
        time.sleep(0.002)
    os.kill(run.pid, signal.SIGKILL)
    os.wait4(run.pid, 0)
    return None


def latency(run):
    """How long it goes on when it is interrupted; 0 where it has ended before."""
    time.sleep(PATIENCE)
    begin = time.monotonic()
    if run.poll() is not None:
        return 0
    run.send_signal(signal.SIGINT)
    run.wait()
    return time.monotonic() - begin


def interrupt_all(assay, commands, only):
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for name, text in programs.programs():
            if only not in name:
                continue
            file = pathlib.Path(folder, name + ".hlo")
            file.write_text(text)
            times += [(latency(start(assay, command, file, subprocess.DEVNULL)), command, name)
                      for command in commands]
            file.unlink()
    for seconds, command, name in sorted(times, reverse=True)[:10]:
        print(f"{seconds * 1000:6.1f} ms  {command} {name}")
    late = sum(seconds > LATEST for seconds, _, _ in times)
    print(f"{sum(seconds > 0 for seconds, _, _ in times)} runs interrupted, {late} too late")
    return late > 0


def findings(result, message, limited):
    """What is wrong with such an end."""
    if result is None:
        return [f"does not end within {LONGEST} s"]
    code, used = result
    found = []
    if code < 0:
        found.append(f"ends with signal {-code}")
    if "internal error" in message:
        found.append("is an internal error")
    if code != 0 and not message.strip():
        found.append("says nothing")
    if limited and used.ru_maxrss * 1024 > ARRAYS + BESIDE:
        found.append(f"takes {used.ru_maxrss // 1024} MiB")
    return found


def main():
    arguments = sys.argv[1:]
    only = arguments.pop(arguments.index("--only") + 1) if "--only" in arguments else ""
    assay, *commands = [a for a in arguments if not a.startswith("--")]
    if "--interrupt" in arguments:
        return interrupt_all(assay, commands or ["eval"], only)
    limited = "san" not in str(pathlib.Path(assay).resolve())  # their shadows take more
    wrong, times = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for name, text in programs.programs():
            if only not in name:
                continue
            file = pathlib.Path(folder, name + ".hlo")
            file.write_text(text)
            for command in commands or ["eval"]:
                with tempfile.TemporaryFile("w+") as output:
                    result = ended(start(assay, command, file, output))
                    output.seek(0)
                    message = output.read(100_000)
                if result:
                    times.append((result[1].ru_utime + result[1].ru_stime, command, name))
                for finding in findings(result, message, limited):
                    wrong += 1
                    print(f"{command} {name}: {finding}\n    {message[:300].strip()}")
            file.unlink()
    for seconds, command, name in sorted(times, reverse=True)[:10]:
        print(f"{seconds:6.2f} s  {command} {name}")
    print(f"{len(times)} runs, {wrong} findings")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
