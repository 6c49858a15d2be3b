"""Runs commands on pseudo-terminals, and looks at what people would see there.

Progress shows and leaves nothing behind, tables and help are no wider than the
terminal, long results are left out, colours are asked for; in a pipe there is
none of that. Argument: the `assay` program.
"""

import fcntl
import os
import pathlib
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY = str(pathlib.Path(sys.argv[1]).resolve())
VECTORS = ROOT / "conformance/vectors"
ENDLESS = ROOT / "conformance/files/testing/endless.hlo"
MANY = 5000
WIDE = f"""HloModule m

ENTRY main {{
  x = f32[{MANY}] iota(), iota_dimension=0
  ROOT r = f32[{MANY}] tanh(x)
}}
"""
# In the order in which the page says that they go, the last one first.
GOING = ["unsupported", "broken", "worst ulp", "of bound", "unjudged", "rejected", "refused"]


def environment(more):
    kept = {name: value for name, value in os.environ.items()
            if name not in ("COLUMNS", "NO_COLOR", "TERM")}
    return kept | {"TERM": "xterm"} | more


def in_pipe(*words, **more):
    done = subprocess.run([ASSAY, *words], cwd=ROOT, capture_output=True, text=True, timeout=60,
                          env=environment(more), stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


class Terminal:
    """A terminal, and a command that is on it."""

    def __init__(self, words, columns, more):
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.text = b""
        self.process = subprocess.Popen([ASSAY, *words], cwd=ROOT, stdin=subprocess.DEVNULL,
                                        stdout=theirs, stderr=theirs, env=environment(more))
        os.close(theirs)

    def read(self):
        """Whether there was more."""
        try:
            part = os.read(self.ours, 65536)
        except OSError:  # the other end is closed
            part = b""
        self.text += part
        return part != b""

    def read_until(self, part):
        while part.encode() not in self.text and self.read():
            pass

    def end(self):
        while self.read():
            pass
        os.close(self.ours)
        code = self.process.wait(timeout=60)
        return code, self.text.decode().replace("\r\n", "\n")


def on_terminal(*words, columns=80, **more):
    return Terminal(words, columns, more).end()


def screen(text):
    """The lines that are left on it."""
    lines, column = [""], 0
    for character in text:
        if character == "\n":
            lines.append("")
            column = 0
        elif character == "\r":
            column = 0
        else:
            line = lines[-1].ljust(column)
            lines[-1] = line[:column] + character + line[column + 1:]
            column += 1
    return "\n".join(line.rstrip() for line in lines).rstrip("\n")


class OnATerminal(unittest.TestCase):
    def setUp(self):
        self.at = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.at)
        self.wide = str(self.at / "wide.hlo")
        pathlib.Path(self.wide).write_text(WIDE)
        self.endless = ["eval", str(ENDLESS), "--max-work", str(2**53)]

    def stopped(self, columns=80, **more):
        """What a terminal gets of a program without end, which a signal stops soon."""
        terminal = Terminal(self.endless, columns, more)
        terminal.read_until(" % ")
        terminal.process.send_signal(signal.SIGINT)
        return terminal.end()[1]

    def test_progress_shows_and_is_taken_away(self):
        long = ["eval", str(ENDLESS), "--max-work", "6000000000"]  # more than half a second
        code, text = on_terminal(*long)
        self.assertRegex(text, r"\r\d+\.\d % of --max-work; at most \d:\d\d left")
        plain = in_pipe(*long)
        self.assertNotIn("\r", plain[2])
        self.assertEqual((code, screen(text)), (plain[0], plain[2].rstrip("\n")))

    def test_a_dumb_terminal_has_none(self):
        terminal = Terminal(self.endless, 80, {"TERM": "dumb"})
        time.sleep(0.8)
        terminal.process.send_signal(signal.SIGINT)
        self.assertEqual(terminal.end()[1], "stopped by a signal: Interrupt\n")

    def test_progress_fits_and_has_no_colours(self):
        for columns, more in ((20, {}), (80, {"COLUMNS": "12"})):
            text = self.stopped(columns, **more)
            shown = [part.rstrip() for part in text.split("stopped")[0].split("\r")]
            width = int(more.get("COLUMNS", columns))
            self.assertGreater(max(map(len, shown)), 5)
            self.assertLess(max(map(len, shown)), width)
            self.assertNotIn("\x1b", text)

    def test_progress_counts_cases(self):
        worker = f"sleep 1; exec {sys.executable} {ROOT}/backends/process/examples/worker.py"
        words = ["check", str(VECTORS / "negate.jsonl"), "-f", "negate/f32/values", "-b",
                 f"process:sh -c '{worker}'"]
        code, text = on_terminal(*words)
        self.assertIn("\r0 of 1 case, 0 differ", text)
        plain = in_pipe(*words)
        self.assertEqual((code, screen(text)), (plain[0], plain[1].rstrip("\n")))
        self.assertEqual(code, 0)

    def test_a_signal_leaves_no_half_line(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            terminal = Terminal(self.endless, 80, {})
            terminal.read_until("of --max-work")
            time.sleep(0.1)
            terminal.process.send_signal(number)
            code, text = terminal.end()
            self.assertEqual(code, 4)
            self.assertRegex(screen(text), r"^stopped by a signal: \w+$")

    def table(self, width, **more):
        pages = [str(ROOT / f"spec/ops/{name}.md") for name in ("maximum", "all_reduce", "tanh")]
        words = ["check", *pages, "-b", "mutant:drop-nan", "-v", "--failures", "0"]
        code, text = on_terminal(*words, columns=width, **more)
        return re.sub("\x1b\\[\\d*m", "", text).split("\n\n")[0].splitlines()

    def test_tables_are_no_wider_and_columns_go_in_their_order(self):
        whole = self.table(200)
        titles = {title for title in GOING if title in whole[0]}
        self.assertEqual(titles, set(GOING))
        before = 0
        for width in (10, 30, 40, 50, 60, 70, 80, 90, 100, 120):
            lines = self.table(width)
            self.assertEqual(len(lines), len(whole))
            self.assertLessEqual(max(map(len, lines)), width)
            kept = [title for title in GOING if title in lines[0]]
            self.assertGreaterEqual(len(kept), before, width)
            before = len(kept)
            if width >= 60:
                for title in ("operation", "type", "cases", "conforms", "differs"):
                    self.assertIn(title, lines[0])

    def test_the_columns_are_those_of_the_variable(self):
        self.assertEqual(self.table(200, COLUMNS="70"), self.table(70))
        for nonsense in ("0", "-1", "x", "1e3", "99999999999999999999"):
            self.assertEqual(self.table(70, COLUMNS=nonsense), self.table(70))

    def test_a_pipe_has_lines_of_any_length(self):
        words = ["list"]
        plain = in_pipe(*words)[1]
        self.assertEqual(in_pipe(*words, COLUMNS="20")[1], plain)
        self.assertGreater(max(map(len, plain.splitlines())), 40)
        text = on_terminal(*words, columns=25)[1]
        self.assertLessEqual(max(map(len, text.splitlines())), 25)
        self.assertEqual(len(text.splitlines()), len(plain.splitlines()))

    def test_help_fits(self):
        for command in ("check", "eval", "golden"):
            text = on_terminal(command, "--help", columns=60)[1].split("\nExamples:")[0]
            self.assertLessEqual(max(len(line) for line in text.splitlines()
                                         if not line.startswith("Usage")), 60)

    def test_eval_leaves_out_what_nobody_reads(self):
        plain = in_pipe("eval", self.wide)[1]
        self.assertEqual(plain.count(","), MANY - 1)
        text = on_terminal("eval", self.wide, columns=100_000 // 2)[1]
        self.assertIn(", ..., ", text)
        self.assertLess(len(text), 3000)
        self.assertIn("--all", text)
        values = re.findall(r"[\d.]+(?=[,}])", text.split("{")[1].replace("...", ""))
        self.assertLessEqual(len(values), 100)
        for words in (["--all"], ["-o", "digest"]):
            self.assertEqual(screen(on_terminal("eval", self.wide, *words)[1]),
                             in_pipe("eval", self.wide, *words)[1].rstrip("\n"))
        self.assertEqual(in_pipe("eval", self.wide, "--all")[1], plain)

    def test_bounds_shows_few_on_a_terminal(self):
        def ranges(text):
            return len(re.findall(r"^  \{\d+\} ", text, re.M))
        self.assertEqual(ranges(in_pipe("bounds", self.wide)[1]), MANY)
        few = on_terminal("bounds", self.wide)[1]
        self.assertEqual(ranges(few), 8)
        self.assertIn(f"and {MANY - 8} more elements; --all shows all", few)
        self.assertEqual(ranges(on_terminal("bounds", self.wide, "--all")[1]), MANY)
        self.assertEqual(ranges(in_pipe("bounds", self.wide, "--show", "3")[1]), 3)

    def test_colours_are_for_terminals_that_want_them(self):
        words = ["check", str(VECTORS / "maximum.jsonl"), "-b", "mutant:drop-nan", "--failures", "0"]
        self.assertIn("\x1b[31m", on_terminal(*words)[1])
        self.assertIn("\x1b[31m", on_terminal(*words, NO_COLOR="")[1])
        for more in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\x1b", on_terminal(*words, **more)[1])
        self.assertNotIn("\x1b", in_pipe(*words)[1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
