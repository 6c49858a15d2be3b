"""Runs `assay report` on real runs, and looks at its pages in a browser.

    report_pages.py ASSAY FOLDER [--many N]

What the page shows is counted a second time here, from the events. The browser
is Chromium without a window; where it is not installed its tests are skipped.
Screenshots go to FOLDER, to be looked at. With --many a page of N drawn cases is
opened three times: the best of them must show something within 2 seconds and
filter within 200 ms.
"""

import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY = str(pathlib.Path(sys.argv[1]).resolve())
SHOTS = pathlib.Path(sys.argv[2]).resolve()
MANY = int(sys.argv[4]) if "--many" in sys.argv else 0
CHROMIUM = shutil.which("chromium")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
FILTER = "maximum/*:add/f32/*:tanh/f32/*:dot/f32/*:covering-elementwise/f8*"
HOSTILE = "</script><script>console.log('PROBE broke out')</script><!--"
SECONDS = 120
# What a page says to this script; `report` is the page's data.
PROBE = """<script>
onerror = (what) => console.log("PROBE " + JSON.stringify({ error: String(what) }) + " END");
function probe() {
  if (!report || !report.shownAt) return setTimeout(probe, 20);
  Promise.resolve(%s).then(
    (said) => console.log("PROBE " + JSON.stringify(said) + " END"), onerror);
}
probe();
</script></body>"""


def assay(*words, codes=(0,)):
    done = subprocess.run([ASSAY, *map(str, words)], cwd=ROOT, capture_output=True, text=True,
                          timeout=SECONDS)
    if done.returncode not in codes:
        raise AssertionError(f"{words}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def events(path):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [line for line in lines if line["event"] == "case"]


def ask(page, expression):
    """What the expression is in the page, in a browser."""
    text = page.read_text()
    end = text.rindex("</body>")
    with tempfile.TemporaryDirectory() as folder:
        probed = pathlib.Path(folder) / "probed.html"
        probed.write_text(text[:end] + PROBE % expression + text[end + len("</body>"):])
        process = subprocess.Popen(
            [CHROMIUM, *FLAGS, "--enable-logging=stderr", f"--user-data-dir={folder}/profile",
             probed.as_uri()], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
            errors="replace", start_new_session=True)
        watch = threading.Timer(SECONDS, os.killpg, [process.pid, signal.SIGKILL])
        watch.start()
        try:
            for line in process.stderr:
                if found := re.search(r"PROBE (.*) END", line):
                    return json.loads(found.group(1))
                if "PROBE" in line:
                    raise AssertionError(line)
        finally:
            watch.cancel()
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    raise AssertionError("the page says nothing")


def shoot(page, view, name, size="1400,1000", *more):
    SHOTS.mkdir(parents=True, exist_ok=True)
    shot = SHOTS / f"{name}.png"
    shot.unlink(missing_ok=True)
    subprocess.run([CHROMIUM, *FLAGS, "--virtual-time-budget=5000", f"--window-size={size}", *more,
                    f"--screenshot={shot}", page.as_uri() + view], check=True,
                   capture_output=True, timeout=SECONDS)
    return shot


def draw(path, count):
    """Events of so many cases, the same every time."""
    rng = random.Random(0)
    families = [f"operation-{o:03}/{t}" for o in range(140) for t in "f32 bf16 f16 f64 s8 s32".split()]
    with path.open("w") as file:
        file.write(json.dumps({
            "event": "begin", "backend": "drawn:", "cases": count, "manifest": "m", "version": "1",
            "build": "b", "profile": "tight", "require": "", "levels": True, "shard": 0, "of": 1,
            "command": "assay check"}, separators=(",", ":")) + "\n")
        for i in range(count):
            x = rng.random()
            verdict = "crashed" if x < 0.02 else "conforms" if x < 0.9 else "unsupported"
            file.write(
                f'{{"event":"case","position":{i},"id":"{families[i * len(families) // count]}/'
                f'case_{i}","verdict":"{verdict}","source":"exact","file":"none.jsonl","line":'
                f'{i + 1},"elements":24,"inexact":{int(x * 10)},"outside":0,"worst_ulps":'
                f'{int(x * 5)},"of_bound":"{x:.6f}","level":{int(x * 4)}}}\n')
        file.write('{"event":"end"}\n')


class Runs(unittest.TestCase):
    """Two runs of one backend, between which it regressed, and one of another."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.at = pathlib.Path(cls.folder.name)
        cls.runs = []
        for name, backend in (("1", "interpreter:"), ("2", "mutant:drop-nan"), ("3", "cpu:")):
            cls.runs.append(cls.at / f"2026-01-0{name}.jsonl")
            assay("check", "-b", backend, "-f", FILTER, "--levels", "-o", cls.runs[-1],
                  codes=(0, 1))
        # The second is a later run of the first.
        cls.runs[1].write_text(cls.runs[1].read_text().replace("mutant:drop-nan", "interpreter:"))
        cls.page = cls.at / "page.html"
        assay("report", *cls.runs, "--html", cls.page)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()


class Reports(Runs):
    def test_outputs_are_the_same_every_time(self):
        outputs = []
        for name in "ab":
            files = [self.at / f"{name}.{kind}" for kind in ("html", "md", "tap", "xml", "svg")]
            done = assay("report", *self.runs, "--html", files[0], "--markdown", files[1], "--tap",
                         files[2], "--junit", files[3], "--badge", files[4])
            outputs.append([done.stdout] + [file.read_bytes() for file in files])
        self.assertEqual(*outputs)

    def test_tap_and_junit_have_a_test_for_each_case(self):
        cases = sum(len(events(run)) for run in self.runs)
        tap, xml = self.at / "t.tap", self.at / "j.xml"
        assay("report", *self.runs, "--tap", tap, "--junit", xml)
        self.assertEqual(len(re.findall(r"^(?:not )?ok \d+ - ", tap.read_text(), re.M)), cases)
        self.assertIn(f"\n1..{cases}\n", tap.read_text())
        self.assertEqual(xml.read_text().count("<testcase "), cases)

    def test_a_file_that_is_cut_off_is_partial(self):
        cut = self.at / "cut.jsonl"
        cut.write_bytes(self.runs[0].read_bytes()[:20000])
        done = assay("report", cut, "--markdown", self.at / "cut.md", codes=(4,))
        self.assertIn("; partial: ", done.stdout)
        self.assertRegex(done.stderr, r"cut.jsonl:\d+: error: usage.events: the last line is cut")
        self.assertIn("**partial**", (self.at / "cut.md").read_text())

    def test_what_is_no_sweep_is_named(self):
        sweep = self.at / "no_sweep.jsonl"
        good = self.at / "good_sweep.jsonl"
        assay("sweep", "--op", "add", "--type", "s8", "-b", "cpu:", "-o", good)
        begin, chunk, _ = good.read_text().splitlines(keepends=True)
        for text in ("", begin, "{}\n", self.runs[0].read_text(), begin.replace("add", "dot") + chunk,
                     begin.replace('"s8"', '"s9"') + chunk, begin + chunk + chunk,
                     begin + "[]\n", begin.replace('"range":""', '"range":"1:x"') + chunk):
            sweep.write_text(text)
            done = assay("report", self.runs[0], "--sweep", sweep, "--html", self.at / "n.html",
                         codes=(1, 2, 3))
            self.assertIn("no_sweep.jsonl: ", done.stderr, text[:100])
            self.assertFalse((self.at / "n.html").exists())
        done = assay("report", self.runs[0], "--sweep", good, codes=(2,))
        self.assertIn("--html", done.stderr)
        done = assay("report", self.runs[0], "--sweep", good, "--html", good, codes=(2,))
        self.assertIn("good_sweep.jsonl", done.stderr)

    def test_history_and_trend_tell_what_regressed(self):
        before, after = ({case["id"]: case["verdict"] for case in events(run)}
                         for run in self.runs[:2])
        worse = sorted(i for i in after if after[i] == "differs" and before[i] == "conforms")
        self.assertTrue(worse)
        history = assay("history", self.at / "2026-01-01.jsonl", self.at / "2026-01-02.jsonl").stdout
        self.assertEqual(history.count("(regressed)"), len(worse))
        for name in worse:
            self.assertIn(f"\n{name}\n  conforms ", history)
        folder = self.at / "runs"
        folder.mkdir()
        for run in self.runs[:2]:
            shutil.copy(run, folder)
        last = assay("trend", folder).stdout.splitlines()[-1].split()
        self.assertEqual(last[-4:], [str(len(worse)), "0", "0", "complete"])

    def test_a_page_names_no_address(self):
        text = re.sub(r'<script type="application/json".*?</script>', "", self.page.read_text(),
                      flags=re.S)
        self.assertEqual(re.findall(r"(?<!xmlns=)[\"'](?:https?:)?//[^\"']*", text),
                         ['"http://www.w3.org/2000/svg'])


@unittest.skipUnless(CHROMIUM, "chromium is not installed")
class Pages(Runs):
    def test_the_numbers_are_those_of_the_events(self):
        shown = ask(self.page, """report.runs.map((run) => Object.fromEntries(
          report.verdicts.map((v, i) => [v[0], countsOf(run)[i]]).filter(([, n]) => n > 0)))""")
        counted = [dict(collections.Counter(case["verdict"] for case in events(run)))
                   for run in self.runs]
        self.assertEqual(shown, counted)

    def test_the_filter_finds_what_is_there(self):
        shown = ask(self.page, """["text=add/*", "text=f32 nan", "verdict=differs&run=1",
          "ulps=1..1&run=2", "change=0&before=0&after=1"].map((query) => {
            const found = matching(new URLSearchParams(query));
            return [...found].map((row) => report.ids[row]); })""")
        each = [events(run) for run in self.runs]
        ids = sorted({case["id"] for run in each for case in run})
        differs = sorted(case["id"] for case in each[1] if case["verdict"] == "differs")
        self.assertEqual(shown[0], [i for i in ids if i.startswith("add/")])
        self.assertEqual(shown[1], [i for i in ids if "f32" in i and "nan" in i])
        self.assertEqual(shown[2], differs)
        self.assertEqual(shown[3], sorted(case["id"] for case in each[2]
                                          if case.get("worst_ulps") == 1))
        self.assertEqual(shown[4], differs)

    def test_each_failure_is_of_one_kind(self):
        shown = ask(self.page, """[...reasons()].map(([reason, counts]) => [reason, counts[1],
          matching(new URLSearchParams({ run: 1, standing: "fails", reason })).length])""")
        differs = sum(case["verdict"] == "differs" for case in events(self.runs[1]))
        self.assertEqual(sum(count for _, count, _ in shown), differs)
        self.assertEqual([count for _, count, _ in shown], [found for _, _, found in shown])
        self.assertIn("differs: a number, where the reference is NaN", [r for r, _, _ in shown])

    def test_a_case_shows_what_was_allowed_and_what_came(self):
        case = next(case for case in events(self.runs[1]) if case["verdict"] == "differs")
        shown = ask(self.page, f"caseDetail(report.ids.indexOf({json.dumps(case['id'])})).innerText")
        for wanted in (case["statement"], case["difference"]["expected"], "HloModule",
                       case["difference"]["actual"], f"--filter '{case['id']}'", "regressed"):
            self.assertIn(wanted, shown)

    def test_the_command_names_the_file_of_its_case_only(self):
        shown = ask(self.page, """["assay check a.jsonl 'b c.jsonl' --backend cpu:",
            "assay golden check 'b c.jsonl' --backend cpu: --exact", "assay check --backend cpu:"]
          .map((command) => commandOf({ command }, 0))""")
        file, case = ask(self.page, "[report.texts[report.files[0]], report.ids[0]]")
        self.assertEqual(shown, [f"assay check {file} --backend cpu: --filter '{case}'",
                                 f"assay golden check {file} --backend cpu: --exact --filter '{case}'",
                                 f"assay check --backend cpu: --filter '{case}'"])

    def test_keys_reach_every_case(self):
        shown = ask(self.page, """(() => {
          document.getElementById("main").replaceChildren(cases(new URLSearchParams("")));
          const box = document.getElementById("list");
          const press = (key) => box.dispatchEvent(new KeyboardEvent("keydown", { key }));
          const id = () => document.getElementById(box.getAttribute("aria-activedescendant")).querySelector(".id").textContent;
          const ids = [];
          for (const key of ["ArrowDown", "End", "ArrowUp", "Home"]) { press(key); ids.push(id()); }
          return { ids, rows: box.querySelectorAll("[role=option]").length };
        })()""")
        ids = sorted({case["id"] for run in self.runs for case in events(run)})
        self.assertEqual(shown["ids"], [ids[1], ids[-1], ids[-2], ids[0]])
        self.assertLess(shown["rows"], 100)

    def test_nothing_that_an_event_says_is_run(self):
        hostile = self.at / "hostile.jsonl"
        lines = [json.loads(line) for line in self.runs[1].read_text().splitlines()]
        lines[0]["backend"] = lines[0]["command"] = HOSTILE
        for line in lines[1:-1]:
            line["id"] = line["id"] + HOSTILE
            line["statement"] = line["message"] = line["file"] = HOSTILE
        hostile.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n"
                                   for line in lines))
        page = self.at / "hostile.html"
        assay("report", hostile, "--html", page)
        shown = ask(page, """(() => {
          const views = [overview(), matrix(new URLSearchParams("")), cases(new URLSearchParams("")),
            badges(), caseDetail(0)];
          document.getElementById("main").replaceChildren(...views);
          return document.querySelectorAll("#main script, #main iframe, #main object").length; })()""")
        self.assertEqual(shown, 0)

    def test_the_plots_of_sweeps(self):
        sweeps = []
        for name, more in (("exponential", ()), ("logistic", ("--range", "-2:2"))):
            sweeps.append(self.at / f"{name}.jsonl")
            assay("sweep", "--op", name, "--type", "f16", "-b", "cpu:", "-o", sweeps[-1],
                  "--svg", self.at / f"{name}.svg", *more)
        cut = self.at / "sweep_cut.jsonl"
        assay("sweep", "--op", "add", "--type", "f32", "-b", "cpu:", "-o", cut)
        lines = cut.read_text().splitlines(keepends=True)
        cut.write_text(lines[0] + lines[1] + lines[2][:-10])
        page = self.at / "sweeps.html"
        assay("report", self.runs[0], "--sweep", sweeps[0], "--sweep", sweeps[1], "--sweep", cut,
              "--html", page)
        shown = ask(page, """(async () => {
          await Promise.all([...document.querySelectorAll(".sweep img")].map((image) => image.decode()));
          return [...document.querySelectorAll(".sweep")].map((figure) => ({
            title: figure.querySelector("figcaption").textContent,
            width: figure.querySelector("img").naturalWidth,
            words: figure.querySelector("pre").textContent,
            picture: decodeURIComponent(figure.querySelector("img").src.split(",").slice(1).join(",")) })); })()""")
        self.assertEqual([figure["title"] for figure in shown],
                         ["exponential of f16 on cpu:", "logistic of f16 on cpu:",
                          "add of f32 on cpu:, 1 of 4 chunks only"])
        for name, figure in zip(("exponential", "logistic"), shown):
            self.assertEqual(figure["picture"], (self.at / f"{name}.svg").read_text())
            self.assertGreater(figure["width"], 1000)
            self.assertIn("strictest level passed", figure["words"])
        shot = shoot(page, "", "sweeps", "1400,2400")
        self.assertGreater(shot.stat().st_size, 10000, shot)

    def test_screenshots(self):
        case = next(case for case in events(self.runs[1]) if case["verdict"] == "differs")
        dark = "--blink-settings=preferredColorScheme=0"
        shots = [shoot(self.page, "", "overview"),
                 shoot(self.page, "#matrix", "matrix_dark", "1400,1000", dark),
                 shoot(self.page, f"#cases?standing=fails&case={case['id']}", "case"),
                 shoot(self.page, "#changes", "changes"),
                 shoot(self.page, "#cases", "narrow", "500,900")]
        for shot in shots:
            self.assertGreater(shot.stat().st_size, 10000, shot)
        print(f"{len(shots)} screenshots in {SHOTS}")


@unittest.skipUnless(CHROMIUM and MANY, "asked for by --many, and needs chromium")
class Many(unittest.TestCase):
    def test_a_page_of_many_cases_opens(self):
        with tempfile.TemporaryDirectory() as folder:
            run, page = pathlib.Path(folder) / "run.jsonl", pathlib.Path(folder) / "page.html"
            draw(run, MANY)
            assay("report", run, "--html", page, codes=(0,))
            query = """(() => {
              const time = (work) => { const began = performance.now(); work(); return Math.round(performance.now() - began); };
              return { rows: report.rows, paint: Math.round(performance.getEntriesByType("paint")[0]?.startTime ?? -1),
                shown: Math.round(report.shownAt), filters: ["text=operation-1", "text=case_1 f32", "text=*f32*99", "standing=fails"]
                  .map((query) => time(() => matching(new URLSearchParams(query)))), matrix: time(() => matrix(new URLSearchParams(""))),
                typed: time(() => { document.getElementById("main").replaceChildren(cases(new URLSearchParams("text=operation-12"))); document.body.offsetHeight; }) }; })()"""
            tries = [ask(page, query) for _ in range(3)]
            print(f"{page.stat().st_size >> 20} MiB; in ms: {tries}")
            self.assertEqual([said["rows"] for said in tries], [MANY] * 3)
            self.assertLess(min(said["paint"] for said in tries), 2000)
            filters = [min(times) for times in zip(*(said["filters"] for said in tries))]
            self.assertLess(max(filters), 200, filters)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
