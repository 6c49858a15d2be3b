"""HLO text of the programs that cases run."""

from __future__ import annotations

from assaygen.arrays import Array


class Program:
    """Parameters, one instruction or more, and regions. `header` is what stands
    behind the module's name: ", replica_count=2"."""

    def __init__(self, name: str, inputs: list[Array], header: str = "") -> None:
        self.name = name
        self.header = header
        self.inputs = inputs
        self.regions: list[str] = []
        self.lines = [
            f"  p{i} = {x.shape} parameter({i})" for i, x in enumerate(inputs)
        ]

    def region(self, text: str) -> Program:
        self.regions.append(text)
        return self

    def line(self, text: str) -> Program:
        self.lines.append("  " + text)
        return self

    def root(self, shape: str, instruction: str) -> Program:
        """The last instruction: `ROOT r = shape instruction`."""
        self.result = shape
        return self.line(f"ROOT r = {shape} {instruction}")

    def text(self) -> str:
        parameters = ", ".join(x.shape for x in self.inputs)
        head = f"HloModule {self.name}{self.header}"
        if any(x.layout for x in self.inputs) or "{" in self.result:
            head += f", entry_computation_layout={{({parameters})->{self.result}}}"
        body = "\n".join(self.lines)
        regions = "".join(region + "\n\n" for region in self.regions)
        return f"{head}\n\n{regions}ENTRY main {{\n{body}\n}}\n"


def scalar_region(name: str, t: str, body: str) -> str:
    """A region of two scalars: body uses a and b."""
    return (
        f"{name} {{\n  a = {t}[] parameter(0)\n  b = {t}[] parameter(1)\n"
        f"  ROOT c = {body}\n}}"
    )
