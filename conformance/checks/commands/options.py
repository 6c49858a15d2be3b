"""Holds the options of all commands to the table in spec/commands.md.

    options.py ASSAY [--write]

Each option stands in the row of the page, with a cross for each command whose
help has it; it has the same short name and the same words in all of them, but
for those whose row says "by command". Help has examples whose options exist,
exit codes, and lines that are not long. --write writes the table anew.
"""

import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY = str(pathlib.Path(sys.argv[1]).resolve())
PAGE = ROOT / "spec/commands.md"
BEGIN = "<!-- options: written by conformance/checks/commands/options.py ASSAY --write -->"
END = "<!-- /options -->"
LONGEST = 100
# Its words differ, as commands make different things.
BY_COMMAND = {"--output": "where the result goes, by command (below)",
              "--op": "the operation, by command (below)",
              "--type": "of operands, by command (below)"}
OPTION = re.compile(r"^  (?:(-\w), )?(--[\w-]+)(?: (\S+))?(?: {2,}(.*))?$")


def help_of(*command):
    done = subprocess.run([ASSAY, *command, "--help"], check=True, capture_output=True, text=True,
                          env={"PATH": "/bin"})
    return done.stdout


def commands():
    text = help_of().split("Subcommands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (\S+)", text, re.M)


def options(text):
    """Of a help: long name -> (short name, value, words, default)."""
    found, last = {}, None
    body = text.split("Options:\n")[1].split("\n\n")[0]
    for line in body.splitlines():
        match = OPTION.match(line)
        if match:
            last = match.group(2)
            found[last] = [match.group(1) or "", match.group(3) or "", match.group(4) or ""]
        else:
            found[last][2] = f"{found[last][2]} {line.strip()}".strip()
    del found["--help"]
    return {name: (short, value, re.sub(r" \[[^][]*\]$", "", words))
            for name, (short, value, words) in found.items()}


def said(name, uses):
    """How the table says the option, from all its uses."""
    short, value, words = next(iter(uses.values()))
    spelled = f"`{short}`, `{name}`" if short else f"`{name}`"
    if name in BY_COMMAND:
        return spelled, BY_COMMAND[name]
    return spelled + (f" {value}" if value else ""), words.replace("|", "\\|")


def table(names, all_options):
    lines = ["| option | " + " | ".join(names) + " | meaning |",
             "|---|" + ":-:|" * len(names) + "---|"]
    for name, uses in all_options.items():
        spelled, words = said(name, uses)
        crosses = "|".join(" x " if command in uses else " " for command in names)
        lines.append(f"| {spelled} |{crosses}| {words} |")
    return "\n".join([BEGIN, *lines, END])


def differences(all_options):
    """Options that do not mean one thing."""
    wrong, shorts = [], {}
    for name, uses in all_options.items():
        for command, use in uses.items():
            first, other = next(iter(uses.values())), use
            if name in BY_COMMAND:
                first, other = first[:1], other[:1]
            if first != other:
                wrong.append(f"{name} is {other} in {command}, and {first} elsewhere")
            if use[0] and shorts.setdefault(use[0], name) != name:
                wrong.append(f"{use[0]} is {shorts[use[0]]} and {name}")
    return wrong


def bad_help(command, text, known):
    wrong = [f"{command}: a line of {len(line)} characters" for line in text.splitlines()
             if len(line) > LONGEST]
    examples = text.split("Examples:\n")[1].split("\n\n")[0].splitlines()
    if "Exit codes: 0 " not in text or not examples:
        wrong.append(f"{command}: help without exit codes or examples")
    names = set(known) | {short for short, _, _ in known.values()}
    for example in examples:
        words = shlex.split(example)
        if words[:2] != ["assay", command]:
            wrong.append(f"{command}: an example of another command: {example.strip()}")
        wrong += [f"{command}: an example has {word}, which is no option" for word in words
                  if re.match(r"--?[a-z]", word) and word not in names]
    return wrong


def main():
    names = commands()
    texts = {name: help_of(name) for name in names}
    each = {name: options(text) for name, text in texts.items()}
    found = {}
    for name in names:
        for option, use in each[name].items():
            found.setdefault(option, {})[name] = use
    found = dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))
    wanted = table(names, found)
    page = PAGE.read_text()
    written = re.sub(re.escape(BEGIN) + r".*?" + re.escape(END), lambda _: wanted, page, flags=re.S)
    if "--write" in sys.argv:
        PAGE.write_text(written)
    wrong = differences(found)
    for name in names:
        wrong += bad_help(name, texts[name], each[name])
    if "--write" not in sys.argv and (written != page or BEGIN not in page):
        rows = set(wanted.splitlines()) ^ set(page.split(BEGIN)[-1].split(END)[0].splitlines())
        wrong.append("spec/commands.md has not what help says: " + "; ".join(
            row.split(" |")[0].strip("| ") for row in sorted(rows) if row.startswith("|")))
    readme = (ROOT / "README.md").read_text()
    if f"`{' '.join(names)}`" not in readme:
        wrong.append("README.md does not list the commands as help does")
    print("\n".join(wrong) or f"options: {len(found)} of {len(names)} commands mean one thing each")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
