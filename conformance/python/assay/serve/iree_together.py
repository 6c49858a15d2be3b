"""Several programs in one module of IREE's compiler: each costs it a third then."""

import re

HEAD = re.compile(r'module @"[^"\n]*" (attributes \{mhlo\.num_partitions = 1 : i32, '
                  r'mhlo\.num_replicas = 1 : i32\} \{\n)')
FUNCTION = re.compile(r'^  func\.func (?:public|private) @("[\w.-]+"|\w+)\(', re.MULTILINE)
ALONE = ("stablehlo.custom_call", "\\")  # names may stand in texts within the text
CONVERTS = "builtin.module(iree-stablehlo-to-iree-input)"


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
    """One module, of programs of which functions_of() is text, and the name of each one's
    entry."""
    parts = [functions_of(program, f".of.{i}") for i, program in enumerate(programs)]
    text = f"module @together {HEAD.match(programs[0])[1]}{''.join(parts)}}}\n"
    return text, [f"main.of.{i}" for i in range(len(programs))]


class Together:
    """Compiles in this process, and says nothing where it cannot: each program is compiled
    alone then, and what is wrong with it is found there."""

    def __init__(self, flags):
        from iree.compiler import api
        self.api = api
        self.session = api.Session()
        self.session.set_flags(*flags)

    def modules(self, programs):
        """The bytes of a module and the name of the entry in it, by program."""
        fit = [program for program in dict.fromkeys(programs)
               if functions_of(program, "") is not None and self.converts(program)]
        return self.halves(fit)

    def halves(self, programs):
        if len(programs) < 2:
            return {}
        text, names = joined(programs)
        module = self.compiled(text)
        if module is not None:
            return {program: (module, name) for program, name in zip(programs, names)}
        middle = len(programs) // 2
        return self.halves(programs[:middle]) | self.halves(programs[middle:])

    def converts(self, program):
        """Whether the compiler takes the operations; most that it refuses go here, soon."""
        with self.api.Source.wrap_buffer(self.session, program.encode()) as source, \
                self.session.invocation() as invocation:
            return bool(invocation.parse_source(source)
                        and invocation.execute_text_pass_pipeline(CONVERTS))

    def compiled(self, text):
        with self.api.Source.wrap_buffer(self.session, text.encode()) as source, \
                self.session.invocation() as invocation:
            if not invocation.parse_source(source) or not invocation.execute():
                return None
            with self.api.Output.open_membuffer() as output:
                invocation.output_vm_bytecode(output)
                return bytes(output.map_memory())
