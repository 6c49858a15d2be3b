"""HLO in short."""


def module(entry, regions="", header=""):
    return f"HloModule m{header}\n\n{regions}\nENTRY main {{\n{entry}\n}}\n"


def iota(name, shape):
    return f"  {name} = {shape} iota(), iota_dimension=0\n"
