"""Runs the files of conformance/examples/launchers as their launchers would.

    launchers.py ASSAY CMAKE

ctest runs its file; of the others the shell's steps run, with the variables that
GitHub, Slurm and Kubernetes set. Eight shards of a few cases become what the run
of all of them writes and prints.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError:
    yaml = None

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY = pathlib.Path(sys.argv[1]).resolve()
CMAKE = pathlib.Path(sys.argv[2]).resolve()
LAUNCHERS = ROOT / "conformance/examples/launchers"
SHARDS = 8
CASES = ROOT / "conformance/vectors/maximum.jsonl"
# CMake takes quotes off that stand around the whole.
CHECK = f"--backend mutant:drop-nan --filter 'maximum/f*' '{CASES}'"
SAID = re.compile("^(TEST_|GTEST_|SLURM_|JOB_|ASSAY_|CI_NODE|OMPI_|PMI_|GITHUB_)")
TIME = re.compile(rb'time="[0-9.]*"')


def known(expression: str, values: dict) -> str:
    """What GitHub puts in place of ${{ expression }}; KeyError for another one."""
    return str(values[expression.strip()])


class Launchers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = pathlib.Path(folder.name)
        (self.at / "bin").mkdir()
        (self.at / "bin/assay").symlink_to(ASSAY)
        self.plain = {name: text for name, text in os.environ.items() if not SAID.match(name)}
        self.plain |= {"PATH": f"{self.at / 'bin'}:{os.environ['PATH']}", "ASSAY_ROOT": str(ROOT)}
        self.whole = self.run_in(
            self.at, ["sh", "-c", f"assay check {CHECK} -o whole --junit whole.xml"])
        self.assertEqual(self.whole.returncode, 1, self.whole.stderr)

    def run_in(self, folder, command, **variables):
        folder.mkdir(exist_ok=True)
        return subprocess.run([str(word) for word in command], cwd=folder, text=True,
                              env=self.plain | variables, capture_output=True)

    def expect(self, done, code):
        self.assertEqual(done.returncode, code, done.stdout[-2000:] + done.stderr)

    def assert_whole(self, folder, merged=None):
        """What was merged is what one run of all writes."""
        self.assertEqual((folder / "all.jsonl").read_bytes(), (self.at / "whole").read_bytes())
        self.assertEqual(*[TIME.sub(b"", file.read_bytes())
                           for file in (folder / "all.xml", self.at / "whole.xml")])
        if merged is not None:
            self.assertEqual(merged.stdout, self.whole.stdout)

    def test_ctest(self):
        ctest = CMAKE.parent / "ctest"
        build = self.at / "build"
        self.expect(self.run_in(self.at, [CMAKE, "-S", LAUNCHERS / "ctest", "-B", build,
                                          f"-DASSAY={ASSAY}", f"-DASSAY_CHECK={CHECK}"]), 0)
        done = self.run_in(build, [ctest, "-j", 2])
        for shard in range(SHARDS):
            self.assertRegex(done.stdout, rf"shard_{shard} \.+.*(Passed|Failed|Skipped)")
        self.assertRegex(done.stdout, r"merge \.+.*Failed")  # the mutant differs
        self.assert_whole(build)

    def github(self, text, values):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda found: known(found.group(1), values), text)

    def take_steps(self, job, folder, values, artifacts):
        """What the last step that runs something returned."""
        last = None
        for step in job["steps"]:
            given = {name: self.github(str(text), values)
                     for name, text in step.get("with", {}).items()}
            action = step.get("uses", "").split("@")[0]
            if "run" in step:
                script = self.github(step["run"], values)
                last = self.run_in(folder, ["bash", "-e", "-c", script], ASSAY_CHECK=CHECK,
                                   CI="true", GITHUB_JOB="shard")
            elif action == "actions/upload-artifact":
                artifacts[given["name"]] = {file.name: file.read_bytes()
                                            for file in folder.glob(given["path"])}
            elif action == "actions/download-artifact":
                pattern = re.compile(given["pattern"].replace("*", ".*"))
                self.assertEqual(given["merge-multiple"], "True")
                folder.mkdir()
                for name in filter(pattern.fullmatch, artifacts):
                    for file, content in artifacts[name].items():
                        (folder / file).write_bytes(content)
            else:
                self.fail(f"the step {step} is not known")
        return last

    @unittest.skipIf(yaml is None, "python3-yaml is not installed")
    def test_github(self):
        workflow = yaml.safe_load((LAUNCHERS / "github.yml").read_text())
        self.assertIn("ASSAY_CHECK", workflow["env"])
        jobs, artifacts = workflow["jobs"], {}
        shards = jobs["shard"]["strategy"]["matrix"]["shard"]
        self.assertEqual(shards, list(range(SHARDS)))
        self.assertEqual(jobs["merge"]["needs"], "shard")
        for shard in shards:
            values = {"matrix.shard": shard, "strategy.job-total": len(shards)}
            done = self.take_steps(jobs["shard"], self.at / f"job{shard}", values, artifacts)
            self.expect(done, 0)
        self.assertEqual([len(files) for files in artifacts.values()], [1] * SHARDS)
        merged = self.take_steps(jobs["merge"], self.at / "merge", {}, artifacts)
        self.expect(merged, 1)
        self.assert_whole(self.at / "merge", merged)
        self.assertEqual(set(artifacts["report"]), {"all.jsonl", "all.xml"})

    def test_slurm(self):
        script = LAUNCHERS / "slurm_shards.sh"
        array = re.search(r"^#SBATCH --array=(\d+)-(\d+)$", script.read_text(), re.M)
        first, last = map(int, array.groups())
        self.assertEqual(last - first + 1, SHARDS)
        for task in range(first, last + 1):
            self.expect(self.run_in(
                self.at / "job", [script], ASSAY_CHECK=CHECK, SLURM_ARRAY_JOB_ID="417",
                SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_TASK_MIN=str(first),
                SLURM_ARRAY_TASK_MAX=str(last), SLURM_ARRAY_TASK_COUNT=str(SHARDS),
                SLURM_CPUS_PER_TASK="2", SLURM_JOB_ID=str(417 + task)), 0)
        merged = self.run_in(self.at / "job", [LAUNCHERS / "slurm_merge.sh", "417"])
        self.expect(merged, 1)
        self.assert_whole(self.at / "job/assay-417", merged)

    def container(self, name):
        """The one container of the job, and the environment that it gives."""
        job = yaml.safe_load((LAUNCHERS / name).read_text())
        pod = job["spec"]["template"]["spec"]
        (container,) = pod["containers"]
        (mount,), (volume,) = container["volumeMounts"], pod["volumes"]
        self.assertEqual(mount["name"], volume["name"])
        variables = {entry["name"]: entry["value"] for entry in container["env"]}
        self.assertEqual(variables["RESULTS"], mount["mountPath"])
        return job, container["command"], variables | {"RESULTS": str(self.at / "volume")}

    @unittest.skipIf(yaml is None, "python3-yaml is not installed")
    def test_kubernetes(self):
        (self.at / "volume").mkdir()
        job, command, variables = self.container("kubernetes_shards.yaml")
        self.assertEqual(job["spec"]["completionMode"], "Indexed")
        self.assertEqual(job["spec"]["completions"], SHARDS)
        self.assertEqual(variables["ASSAY_SHARDS"], str(SHARDS))
        variables["ASSAY_CHECK"] = CHECK
        for index in range(SHARDS):
            self.expect(self.run_in(self.at, command, **variables,
                                    JOB_COMPLETION_INDEX=str(index)), 0)
        _, command, variables = self.container("kubernetes_merge.yaml")
        merged = self.run_in(self.at, command, **variables)
        self.expect(merged, 1)
        self.assert_whole(self.at / "volume", merged)

    def test_a_shard_that_breaks_is_a_failure(self):
        done = self.run_in(self.at / "job", [LAUNCHERS / "slurm_shards.sh"],
                           ASSAY_CHECK="--backend npu:", SLURM_ARRAY_JOB_ID="1",
                           SLURM_ARRAY_TASK_ID="0", SLURM_ARRAY_TASK_MIN="0",
                           SLURM_ARRAY_TASK_COUNT="8", SLURM_CPUS_PER_TASK="1")
        self.expect(done, 2)

    def test_the_mutant_differs_in_several_shards(self):
        verdicts = [json.loads(line)["verdict"]
                    for line in (self.at / "whole").read_text().splitlines()[1:-1]]
        self.assertGreater(verdicts.count("differs"), SHARDS)
        self.assertGreater(verdicts.count("conforms"), SHARDS)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
