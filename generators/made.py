"""What vectors were made from: generators/made.txt has a line for each operation
or set, with the SHA-256 of the sources that its module imports, of the files that
they made, and its name. Where both are unchanged, making them again would show
nothing; the nightly run does it all the same. A line that is not true fails by day,
when nothing is made again."""

import ast
import functools
import hashlib
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
RECORD = HERE / "made.txt"
FRONT = "# Written by generators/generate.py: sources, files, operation or set.\n"


def file_of(module: str) -> pathlib.Path | None:
    """The source of a module of this folder; None for one from elsewhere."""
    path = HERE.joinpath(*module.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


def named_late(name: ast.expr) -> set[str]:
    """What import_module may be asked for: all operations, where that is computed."""
    if isinstance(name, ast.Constant):
        return {name.value}
    return {f"ops.{file.stem}" for file in (HERE / "ops").glob("*.py")}


@functools.cache
def imports(module: str) -> frozenset[str]:
    """The modules of this folder that its source names, and the packages it is in."""
    file = file_of(module)
    package = module.split(".") if file.name == "__init__.py" else module.split(".")[:-1]
    named = {".".join(module.split(".")[:i]) for i in range(1, module.count(".") + 1)}
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[:len(package) - node.level + 1] if node.level else []
            origin = ".".join([*above, *([node.module] if node.module else [])])
            named |= {origin, *(f"{origin}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            named |= named_late(node.args[0])
    return frozenset(name for name in named if name and file_of(name))


def closure(module: str) -> set[str]:
    """The module, and all that it imports."""
    found: set[str] = set()
    left = [module]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += imports(name)
    return found


def digest(texts: dict[str, bytes]) -> str:
    whole = hashlib.sha256()
    for name, text in sorted(texts.items()):
        whole.update(f"{name} {len(text)}\n".encode() + text)
    return whole.hexdigest()


def digest_of_sources(module: str) -> str:
    names = {module_name: file_of(module_name) for module_name in closure(module)}
    return digest({name: file.read_bytes() for name, file in names.items()}
                  | {"rendered": (HERE / "rendered.py").read_bytes()})


def read_record() -> dict[str, list[str]]:
    """Sources and files of each name."""
    if not RECORD.exists():
        return {}
    lines = (line.split() for line in RECORD.read_text().splitlines()[1:])
    return {name: [sources, files] for sources, files, name in lines}


def write_record(record: dict[str, list[str]]) -> None:
    part = RECORD.with_suffix(".part")
    part.write_text(FRONT + "".join(
        f"{sources} {files} {name}\n" for name, (sources, files) in sorted(record.items())))
    part.replace(RECORD)
