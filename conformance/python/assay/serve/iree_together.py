"""Several programs in one module of IREE's compiler: each costs it a third then."""

import bisect
import re
import time

HEAD = re.compile(r'module @"[^"\n]*" (attributes \{mhlo\.num_partitions = 1 : i32, '
                  r'mhlo\.num_replicas = 1 : i32\} \{\n)')
FUNCTION = re.compile(r'^  func\.func (?:public|private) @("[\w.-]+"|\w+)\(', re.MULTILINE)
ALONE = ("stablehlo.custom_call", "\\")  # names may stand in texts within the text
MOST = 16  # programs of a module
MOST_SECONDS = 3.5  # for a module; less than the 5 s that Assay awaits an answer for
LONG, SHORT = 2.5, 1  # seconds after which modules get fewer programs, or more


def functions_of(program, suffix):
    """The functions of a program of one device, with a suffix at each name; None of a program
    that has anything else."""
    head = HEAD.match(program)
    names = FUNCTION.findall(program)
    if not head or not program.endswith("\n}\n") or any(word in program for word in ALONE) or (
            len(names) != program.count("func.func")):
        return None
    for name in dict.fromkeys(names):
        # A name without quotes has an end only where no word goes on.
        end = "" if name[0] == '"' else r"\b"
        new = f'@"{name.strip(chr(34))}{suffix}"'
        program = re.sub("@" + re.escape(name) + end, lambda _, new=new: new, program)
    return program[head.end():-2] if head.end() else None


def joined(programs):
    """One module, of programs of which functions_of() is text; the name of each one's entry,
    and its first line."""
    text, lines = f"module @together {HEAD.match(programs[0])[1]}", []
    for i, program in enumerate(programs):
        lines.append(text.count("\n") + 1)
        text += functions_of(program, f".of.{i}")
    return text + "}\n", [f"main.of.{i}" for i in range(len(programs))], lines


class Together:
    """Makes modules of the programs that come next. What cannot be made so is left out: such a
    program is compiled alone, and what is wrong with it is found there."""

    def __init__(self, compiler):
        self.compiler = compiler
        self.most = MOST
        self.next = []
        self.made = {}

    def expect(self, programs):
        """These come next, in this order."""
        self.next = [program for program in dict.fromkeys(programs)
                     if functions_of(program, "") is not None]
        self.made = {}

    def module_of(self, program):
        """The bytes of a module and the name of the program's entry in it; None of one that is
        to be compiled alone."""
        if program in self.next:
            at = self.next.index(program)
            group, self.next = self.next[at:at + self.most], self.next[at + self.most:]
            self.made = self.modules(group)
        return self.made.get(program)

    def modules(self, programs):
        """A module and a name by program, without those that are wrong."""
        if len(programs) < 2:
            return {}
        text, names, lines = joined(programs)
        begin = time.monotonic()
        outcome = self.compiler.compiled(text, MOST_SECONDS)
        self.pace(time.monotonic() - begin, len(programs))
        if outcome.module is not None:
            return {program: (outcome.module, name) for program, name in zip(programs, names)}
        wrong = {bisect.bisect(lines, line) - 1 for line in outcome.lines()}
        wrong |= {i for i, name in enumerate(names)
                  if any(part.startswith(name + "_") for part in outcome.objects())}
        if wrong and not outcome.death:
            return self.modules([one for i, one in enumerate(programs) if i not in wrong])
        middle = len(programs) // 2
        return self.modules(programs[:middle]) | self.modules(programs[middle:])

    def pace(self, seconds, count):
        """An answer must come soon, whatever else the machine does."""
        if seconds > LONG:
            self.most = max(count // 2, 1)
        elif seconds < SHORT:
            self.most = min(2 * self.most, MOST)
