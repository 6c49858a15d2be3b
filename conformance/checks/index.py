"""Writes or checks the generated index of operations in spec/README.md."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "spec/README.md"
BEGIN = "<!-- index: written by conformance/checks/index.py --write -->"
END = "<!-- /index -->"
HEAD = "| operation | what it is for | examples | must be rejected |\n|---|---|---:|---:|"


def row(page: pathlib.Path) -> str:
    text = page.read_text()
    title = re.search(r"^# (.*)$", text, re.M).group(1)
    paragraph = text.split("\n", 1)[1].strip().split("\n\n")[0].split("\n##")[0]
    sentence = re.split(r"(?<=[.!?])\s", " ".join(paragraph.split()))[0]
    examples = len(re.findall(r"^\s*```hlo example", text, re.M))
    invalid = len(re.findall(r"^\s*```hlo invalid", text, re.M))
    return f"| [{title}](ops/{page.name}) | {sentence} | {examples} | {invalid} |"


def with_index(text: str) -> str:
    if BEGIN not in text:
        text = re.sub(r"<!-- index.*?-->(.*?<!-- /index -->)?", BEGIN + "\n" + END,
                      text, count=1, flags=re.S)
    rows = [row(page) for page in sorted((ROOT / "spec/ops").glob("*.md"))]
    index = "\n".join([BEGIN, HEAD, *rows, END])
    return re.sub(re.escape(BEGIN) + r".*?" + re.escape(END), lambda _: index, text,
                  flags=re.S)


def main() -> int:
    wanted = with_index(README.read_text())
    if "--write" in sys.argv:
        README.write_text(wanted)
    elif wanted != README.read_text():
        print("spec/README.md: stale index; run ./dev generate")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
