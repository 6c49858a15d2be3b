"""Installs the build to a folder and builds and runs a user's project with it.

Arguments: the build folder, the source folder. A path of a build folder is no pattern: the
sources are configured in one that would be none.
"""

import pathlib
import subprocess
import sys
import tempfile


def run(*command: object, folder: pathlib.Path | None = None) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    build, source = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prefix = folder / "prefix"
        run("cmake", "--preset", "release", "-B", folder / "c++", folder=pathlib.Path(source))
        run("cmake", "--install", build, "--prefix", prefix)
        consumer = pathlib.Path(source) / "conformance/checks/consumer"
        run("cmake", "-G", "Ninja", "-S", consumer, "-B", folder / "b", f"-DCMAKE_PREFIX_PATH={prefix}",
            "-DCMAKE_BUILD_TYPE=Release")
        run("cmake", "--build", folder / "b")
        said = run(folder / "b" / "consumer").strip()
        if said != "{2, 4}\n{3, 6}\n{-4, -8}":
            sys.exit(f"the consumer printed {said!r}")
        said = run(prefix / "bin" / "assay", "check", "--filter", "add/*:pad/page/*", folder=folder)
        if " cases conform" not in said or "cpu: 0 of" in said:
            sys.exit(f"the installed assay finds no cases: {said}")
        header = prefix / "include/assay/backends/abi"
        example = pathlib.Path(source) / "backends/abi/examples/elementwise.c"
        run("cc", "-std=c11", "-shared", "-fPIC", "-I", header, example, "-o", folder / "e.so")
        said = run(prefix / "bin" / "assay", "check", "--filter", "add/f32/*", "-b", "abi:e.so",
                   folder=folder)
        if " cases conform" not in said or "e.so: 0 of" in said:
            sys.exit(f"the installed assay does not load the example of a library: {said}")
    print("install: builds anywhere, find_package(assay) works, assay finds its cases and its worker")


if __name__ == "__main__":
    main()
