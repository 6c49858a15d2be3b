"""Judges gpu: on this machine's GPU, times it, and writes a dated table.

    judge_gpu.py ASSAY [--device cuda|opencl|fibers] [--write FILE] [--seconds N]

The exit code is 77 where there is no GPU, 1 where a result differs.
"""

import argparse
import datetime
import glob
import json
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile
import time

# Each program: its name, what is counted, how many of it, and its text. Its
# arguments are random, the same for every backend.
ADD = """
add {{
  a = {0}[] parameter(0)
  b = {0}[] parameter(1)
  ROOT c = {0}[] add(a, b)
}}
"""
PROGRAMS = [
    ("x * y + z, f32[4194304]", "bytes", 16 << 22, """
ENTRY main {
  x = f32[4194304] parameter(0)
  y = f32[4194304] parameter(1)
  z = f32[4194304] parameter(2)
  p = f32[4194304] multiply(x, y)
  ROOT r = f32[4194304] add(p, z)
}"""),
    ("transpose, f32[2048,2048]", "bytes", 8 << 22, """
ENTRY main {
  x = f32[2048,2048] parameter(0)
  ROOT r = f32[2048,2048] transpose(x), dimensions={1,0}
}"""),
    ("sums of rows, f32[2048,2048]", "bytes", 4 << 22, ADD.format("f32") + """
ENTRY main {
  x = f32[2048,2048] parameter(0)
  i = f32[] constant(0)
  ROOT r = f32[2048] reduce(x, i), dimensions={1}, to_apply=add
}"""),
    ("dot, f32[512,512]", "flops", 2 * 512**3, """
ENTRY main {
  x = f32[512,512] parameter(0)
  y = f32[512,512] parameter(1)
  ROOT r = f32[512,512] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}"""),
    ("dot, bf16[512,512]", "flops", 2 * 512**3, """
ENTRY main {
  x = bf16[512,512] parameter(0)
  y = bf16[512,512] parameter(1)
  ROOT r = bf16[512,512] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}"""),
]
# By no GPU: PoCL runs OpenCL on this processor.
CPU = re.compile(r"^opencl, (pthread|basic|cpu)")
MISSING = "not here"
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def is_gpu(name: str) -> bool:
    return not name.startswith(MISSING) and not CPU.match(name)


def environment() -> dict[str, str]:
    """With the folders of NVRTC that Python's packages bring, and a cache."""
    root = sysconfig.get_paths()["purelib"]
    found = glob.glob(f"{root}/nvidia/*/lib/libnvrtc.so.1[23]")
    folders = [str(pathlib.Path(file).parent) for file in found]
    old = os.environ.get("LD_LIBRARY_PATH", "")
    path = ":".join(filter(None, [old, *folders]))
    # A driver compiles the kernels once, for all processes.
    cache = str(pathlib.Path("build/gpu.cache").absolute())
    return dict(os.environ, LD_LIBRARY_PATH=path, CUDA_CACHE_PATH=cache)


def output(program: str, *arguments: str, seconds: float = 600,
           plain: bool = False) -> tuple[int, str]:
    """The exit code and what was said; `plain`: with no library of ours."""
    own = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    try:
        ended = subprocess.run([program, *arguments],
                               env=own if plain else environment(), text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               timeout=seconds)
    except subprocess.TimeoutExpired:
        return 124, f"stopped after {seconds:.0f} s"
    return ended.returncode, ended.stdout


def devices(assay: str) -> dict[str, str]:
    """The name of each device, or why it is not here, by its kind."""
    return dict(re.findall(r"^gpu:\?device=(\w+) +(.*)$",
                           output(assay, "list", "--backends")[1], re.M))


def judged(assay: str, uri: str, seconds: float) -> tuple[list[str], bool]:
    """The rows of the suite, and whether nothing differs."""
    with tempfile.TemporaryDirectory() as folder:
        events = pathlib.Path(folder, "events.jsonl")
        begin = time.monotonic()
        code, text = output(assay, "check", "--backend", uri, "-o", str(events),
                            "--failures", "3", seconds=seconds)
        took = time.monotonic() - begin
    last = text.strip().splitlines()[-1] if text.strip() else "no output"
    rows = [f"| suite, every case | {last} | {took:.0f} s |"]
    if code != 0:
        print(text[-6000:], file=sys.stderr)
    return rows, code == 0


def timed(assay: str, uri: str, text: str, seconds: float) -> tuple[float, str]:
    """Seconds of the median run, and the digest of the results."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "program.hlo")
        program.write_text(text)
        code, said = output(assay, "run", str(program), "--backend", uri,
                            "--input", "random:1", "--repeat", "5",
                            "-o", "digest", seconds=seconds)
    median = re.search(r"median ([\d.]+) (ns|us|ms|s)\b", said)
    digest = re.search(r"\b[0-9a-f]{16,}\b", said)
    if code != 0 or not median:
        return float("inf"), said.strip()[-200:]
    return float(median[1]) * UNITS[median[2]], digest[0] if digest else "no digest"


def rate(count: float, what: str, seconds: float) -> str:
    unit = "GB/s" if what == "bytes" else "GF/s"
    return f"{count / seconds / 1e9:.3g} {unit}"


def speed_rows(assay: str, uri: str, deadline: float) -> tuple[list[str], bool]:
    rows, same = [], True
    for name, what, count, text in PROGRAMS:
        left = deadline - time.monotonic()
        if left < 10:
            rows.append(f"| {name} | left out: no time | |")
            continue
        took, digest = timed(assay, uri, text, left)
        if took == float("inf"):
            rows.append(f"| {name} | {digest} | |")
            same = False
            continue
        other, expected = timed(assay, "interpreter:", text, left)
        equal = digest == expected
        same = same and equal
        rows.append(f"| {name} | {took * 1e3:.3g} ms, {rate(count, what, took)} | "
                    f"interpreter: {other * 1e3:.3g} ms, "
                    f"{'the same' if equal else 'OTHER'} bits |")
    return rows, same


def kernel_rows(benchmark: pathlib.Path, kind: str, deadline: float) -> list[str]:
    """Times of programs whose arguments lie on the device."""
    left = deadline - time.monotonic()
    if not benchmark.exists() or left < 20:
        return [f"| kernels | left out: {benchmark} or time is missing | |"]
    code, text = output(str(benchmark), f"--benchmark_filter=^{kind}/",
                        "--benchmark_min_time=0.05", "--benchmark_format=json",
                        seconds=left)
    if code != 0 or "{" not in text:
        return [f"| kernels | {text.strip()[-200:]} | |"]
    rows = []
    for row in json.loads(text[text.index("{"):text.rindex("}") + 1])["benchmarks"]:
        what = "bytes" if "bytes" in row else "flops"
        unit = "GB/s" if what == "bytes" else "GF/s"
        name = row["name"].removesuffix("/real_time").removeprefix(f"{kind}/")
        rows.append(f"| kernels of {name} | {row['real_time']:.3g} ms, "
                    f"{row[what] / 1e9:.3g} {unit} | |")
    return rows


TORCH = """
import time, torch
torch.backends.cuda.matmul.allow_tf32 = False
def timed(name, unit, count, f):
    for _ in range(3): f()
    torch.cuda.synchronize(); t = time.perf_counter()
    for _ in range(10): f()
    torch.cuda.synchronize(); t = (time.perf_counter() - t) / 10
    print(f"| torch, rounded: {name} | {t * 1e3:.3g} ms, {count / t / 1e9:.3g} {unit} | |")
d = dict(device="cuda")
x, y, z = (torch.rand(1 << 24, **d) for _ in range(3))
timed("multiply_add/f32/16Mi", "GB/s", 16 << 24, lambda: torch.addcmul(z, x, y))
e = torch.rand(1 << 22, **d)
timed("exponential/f32/4Mi", "GB/s", 8 << 22, lambda: torch.exp(e))
m = torch.rand(4096, 4096, **d)
timed("transpose/f32/4096x4096", "GB/s", 8 << 24, lambda: m.t().contiguous())
timed("sum_rows/f32/4096x4096", "GB/s", 4 << 24, lambda: m.sum(1))
s = torch.rand(4096, 256, **d)
timed("sort/f32/4096x256", "GB/s", 8 << 20, lambda: torch.sort(s, dim=1))
a = torch.rand(1024, 1024, **d)
timed("dot/f32/1024", "GF/s", 2 << 30, lambda: a @ a)
b = a.bfloat16()
timed("dot/bf16/1024", "GF/s", 2 << 30, lambda: b @ b)
"""


def torch_rows(deadline: float) -> list[str]:
    """The same with PyTorch, where it is there: not exact, for comparison."""
    left = deadline - time.monotonic()
    if left < 20:
        return []
    code, text = output(sys.executable, "-c", TORCH, seconds=left,
                        plain=True)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return rows if code == 0 else [f"| torch | {text.strip()[-100:]} | |"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("assay")
    parser.add_argument("--device")
    parser.add_argument("--benchmark", default="build/gpu/gpu_backend_benchmark")
    parser.add_argument("--write", default="build/gpu.md")
    parser.add_argument("--seconds", type=float, default=330)
    options = parser.parse_args()
    here = devices(options.assay)
    kind = options.device or next(
        (k for k in ("cuda", "opencl") if is_gpu(here.get(k, MISSING))), "")
    if here.get(kind, MISSING).startswith(MISSING):
        print("gpu: there is no GPU here: " +
              "; ".join(f"{k}: {name}" for k, name in here.items()))
        return 77
    deadline = time.monotonic() + options.seconds
    uri = f"gpu:?device={kind}"
    rows, good = judged(options.assay, uri, options.seconds * 0.7)
    more, ran = speed_rows(options.assay, uri, deadline)
    benchmark = pathlib.Path(options.benchmark)
    more += kernel_rows(benchmark, kind, deadline)
    if kind == "cuda":
        more += torch_rows(deadline)
    day = datetime.datetime.now(datetime.timezone.utc).date()
    table = [f"gpu: on {here[kind]}, {day}", "",
             "Times are of whole runs, with the arguments' way to the device and "
             "the results' way back; numerics are exact.", "",
             "| what | result | beside |", "|---|---|---|", *rows, *more, ""]
    pathlib.Path(options.write).write_text("\n".join(table))
    print("\n".join(table))
    return 0 if good and ran else 1


if __name__ == "__main__":
    sys.exit(main())
