"""Places in the sources that can be changed, found in clang's syntax tree.

Each change is an expression or a statement that stands for the old one, and that a
number chosen at run time switches on: one build holds all mutants.
"""

from __future__ import annotations

import dataclasses
import hashlib
import pathlib
import re
from typing import Iterator

from clang.cindex import Cursor, CursorKind, Index, TranslationUnit

SWITCH = "mutant_switch.h"
OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||",
    "||": "&&", "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<",
    "&": "|", "|": "&", "^": "|", "+=": "-=", "-=": "+=", "*=": "+=", "|=": "&=", "&=": "|=",
}
NAMES = {
    "min": "max", "max": "min", "floor": "ceil", "ceil": "floor", "front": "back",
    "back": "front", "low": "high", "high": "low", "lower": "upper", "upper": "lower",
    "first": "second", "second": "first", "lhs": "rhs", "rhs": "lhs", "begin": "end",
    "rows": "columns", "columns": "rows", "any_of": "all_of", "all_of": "any_of",
    "kDown": "kUp", "kUp": "kDown",
}
# Lines whose change says nothing of results: messages, limits of work, assertions.
SKIPPED = re.compile(
    r"^\s*(#|using|template|static_assert|case )|"
    r"require|spend|kWork|reserve|throw|Count\{|ASSERT|work_|\"")
FUNCTIONS = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.LAMBDA_EXPR,
             CursorKind.FUNCTION_TEMPLATE, CursorKind.CONSTRUCTOR)
HOLDING_TYPES = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD,
                 CursorKind.FUNCTION_TEMPLATE, CursorKind.TYPE_ALIAS_DECL,
                 CursorKind.DECL_REF_EXPR)
COMMUTATIVE = re.compile(r"(std::)?(min|max|hypot|operator[=!+*])\b")
INFIX = (CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR)


@dataclasses.dataclass(frozen=True)
class Mutant:
    """The bytes of a file from begin to end become `after`."""

    file: str
    line: int
    begin: int
    end: int
    before: str
    after: str
    form: str  # what is written, with {m} for the switch

    def key(self, seed: str) -> str:
        text = f"{seed} {self.file} {self.begin} {self.after}"
        return hashlib.sha256(text.encode()).hexdigest()


def is_constant(cursor: Cursor, parent: Cursor) -> bool:
    """Whether it is a part of a type or an argument of a template, which nothing changes at
    run time. Of a variable's own parts these stand before its name."""
    if parent.kind in HOLDING_TYPES:
        return cursor.kind not in (CursorKind.PARM_DECL, CursorKind.COMPOUND_STMT)
    return parent.kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL) and \
        cursor.extent.start.offset < parent.location.offset


def chosen(before: str, after: str) -> str:
    return f"({{m}} ? ({after}) : ({before}))"


class Places:
    """The changes of one file, with the tree of one translation unit."""

    def __init__(self, root: pathlib.Path, unit: TranslationUnit, file: pathlib.Path) -> None:
        self.root = root
        self.file = file
        self.text = file.read_bytes()
        self.lines = self.text.decode().split("\n")
        self.found: dict[tuple[int, int, str], Mutant] = {}
        self.in_table = False  # a global one, which is made before main()
        for cursor in unit.cursor.get_children():
            if cursor.location.file and cursor.location.file.name == str(file):
                self.walk(cursor, None)

    def walk(self, cursor: Cursor, parent: Cursor | None) -> None:
        if cursor.kind in (CursorKind.CASE_STMT, CursorKind.STATIC_ASSERT):
            # Its label is a constant.
            for child in list(cursor.get_children())[1:]:
                self.walk(child, cursor)
            return
        if parent is not None and is_constant(cursor, parent):
            return
        if cursor.kind == CursorKind.FIELD_DECL:
            return  # what a constructor or a list of values replaces
        if cursor.kind == CursorKind.VAR_DECL and "constexpr" in self.first_line(cursor):
            self.constant(cursor)
            return
        self.in_table = cursor.kind == CursorKind.VAR_DECL and parent is not None \
            and parent.kind == CursorKind.NAMESPACE or \
            self.in_table and cursor.kind not in FUNCTIONS
        if not SKIPPED.search(self.lines[cursor.extent.start.line - 1]):
            for before, after, form in self.changes(cursor, parent):
                self.add(cursor, before, after, form)
        for child in cursor.get_children():
            # A list may stand in a file of its own, which is included there.
            if child.extent.start.file is None or child.extent.start.file.name == str(self.file):
                self.walk(child, cursor)

    def span(self, cursor: Cursor) -> tuple[int, int]:
        return cursor.extent.start.offset, cursor.extent.end.offset

    def source(self, cursor: Cursor) -> str:
        begin, end = self.span(cursor)
        return self.text[begin:end].decode()

    def first_line(self, cursor: Cursor) -> str:
        return self.lines[cursor.extent.start.line - 1]

    def add(self, cursor: Cursor, before: str, after: str, form: str) -> None:
        begin, end = self.span(cursor)
        if end <= begin or "{" in form.replace("{m}", ""):
            return
        name = str(self.file.relative_to(self.root))
        if self.in_table:
            form = form.replace("{m}", "{t}")
        self.found.setdefault((begin, end, after), Mutant(
            name, cursor.extent.start.line, begin, end, before, after, form))

    def constant(self, cursor: Cursor) -> None:
        """A named number: one more."""
        text = self.source(cursor)
        match = re.fullmatch(r"((?:static |inline )*)constexpr (\w+ \w+ = )([\w' */+.<-]+)", text)
        if match:
            self.add(cursor, match[3], match[3] + " + 1",
                     f"{match[1]}const {match[2]}{chosen(match[3], match[3] + ' + 1')}")

    def changes(self, cursor: Cursor, parent: Cursor | None) -> Iterator[tuple[str, str, str]]:
        kind = cursor.kind
        if kind in INFIX or kind == CursorKind.CALL_EXPR and cursor.spelling.startswith("operator"):
            yield from self.infix(cursor)
        elif kind == CursorKind.UNARY_OPERATOR:
            yield from self.prefix(cursor)
        elif kind == CursorKind.INTEGER_LITERAL:
            text = self.source(cursor)
            if re.fullmatch(r"\w+", text):
                yield text, text + " + 1", chosen(text, text + " + 1")
        elif kind == CursorKind.CXX_BOOL_LITERAL_EXPR:
            text = self.source(cursor)
            if text in ("true", "false"):
                other = {"true": "false", "false": "true"}[text]
                yield text, other, chosen(text, other)
        elif kind == CursorKind.CALL_EXPR:
            yield from self.call(cursor)
        elif kind in (CursorKind.MEMBER_REF_EXPR, CursorKind.DECL_REF_EXPR):
            yield from self.name(cursor)
        elif kind == CursorKind.CONDITIONAL_OPERATOR:
            condition = self.source(next(cursor.get_children()))
            whole = self.source(cursor)
            if condition and whole.startswith(condition):
                other = f"!({condition}){whole[len(condition):]}"
                yield whole, other, chosen(whole, other)
        elif kind == CursorKind.BREAK_STMT:
            yield "break", "continue", "if ({m}) continue; else break"
        if parent is not None and parent.kind == CursorKind.COMPOUND_STMT and kind in (
                CursorKind.CALL_EXPR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR,
                CursorKind.BINARY_OPERATOR):
            text = self.source(cursor)
            yield text, "", f"if (!{{m}}) {text}"

    def infix(self, cursor: Cursor) -> Iterator[tuple[str, str, str]]:
        parts = list(cursor.get_arguments() if cursor.kind == CursorKind.CALL_EXPR
                     else cursor.get_children())
        if len(parts) != 2:
            return
        (begin, left), (right, end) = self.span(parts[0]), self.span(parts[1])
        operator = self.text[left:right].decode().strip()
        if (begin, end) != self.span(cursor) or operator not in OPERATORS:
            return
        lhs, rhs = self.text[begin:left].decode(), self.text[right:end].decode()
        yield (operator, OPERATORS[operator],
               chosen(self.source(cursor), f"{lhs} {OPERATORS[operator]} {rhs}"))

    def prefix(self, cursor: Cursor) -> Iterator[tuple[str, str, str]]:
        text = self.source(cursor)
        if text.startswith("!"):
            yield "!", "", f"({{m}} ? bool({text[1:]}) : bool({text}))"
        elif text.startswith("++"):
            yield "++", "--", chosen(text, "--" + text[2:])
        elif text.startswith("-") and not text.startswith("--"):
            yield "-", "", chosen(text, text[1:])

    def call(self, cursor: Cursor) -> Iterator[tuple[str, str, str]]:
        """Another function of the same form; two arguments of one type swapped."""
        text = self.source(cursor)
        match = re.match(r"((?:\w+::)*)(\w+)\(", text) or \
            re.match(r"([\w.\[\]>-]+(?:\.|->))(\w+)\(", text)
        if match and match[2] in NAMES:
            other = match[1] + NAMES[match[2]] + text[match.end(2):]
            yield match[2], NAMES[match[2]], chosen(text, other)
        parts = list(cursor.get_arguments())
        if COMMUTATIVE.match(text) or cursor.spelling.startswith("operator"):
            return
        for first, second in zip(parts, parts[1:]):
            if first.type.spelling == second.type.spelling and first.type.spelling:
                a, b = self.span(first), self.span(second)
                begin = self.span(cursor)[0]
                if not begin <= a[0] < a[1] <= b[0] < b[1] or self.source(first) == \
                        self.source(second):
                    continue
                raw = self.text
                other = (raw[begin:a[0]] + raw[b[0]:b[1]] + raw[a[1]:b[0]] + raw[a[0]:a[1]]
                         + raw[b[1]:self.span(cursor)[1]]).decode()
                yield (f"{self.source(first)}, {self.source(second)}", "swapped",
                       chosen(text, other))
                return

    def name(self, cursor: Cursor) -> Iterator[tuple[str, str, str]]:
        text = self.source(cursor)
        referenced = cursor.referenced
        if referenced is not None and referenced.kind == CursorKind.ENUM_CONSTANT_DECL:
            siblings = [c.spelling for c in referenced.semantic_parent.get_children()]
            at = siblings.index(referenced.spelling) if referenced.spelling in siblings else -1
            if at >= 0 and len(siblings) > 1 and text.endswith(referenced.spelling):
                other = text[:-len(referenced.spelling)] + siblings[(at + 1) % len(siblings)]
                yield text, other, chosen(text, other)
            return
        match = re.fullmatch(r"(.*?)(\w+)", text, re.DOTALL)
        if match and match[2] in NAMES and cursor.type.spelling != "<overloaded function type>":
            other = match[1] + NAMES[match[2]]
            yield text, other, chosen(text, other)


def parse(command: list[str], file: pathlib.Path,
          texts: list[tuple[str, str]] | None = None) -> TranslationUnit:
    return Index.create().parse(str(file), args=command, unsaved_files=texts or [])


def places_of(root: pathlib.Path, unit: TranslationUnit, file: pathlib.Path) -> list[Mutant]:
    return list(Places(root, unit, file).found.values())


def written(root: pathlib.Path, file: str, mutants: dict[int, Mutant]) -> str:
    """The text of a file with the mutants in it; line numbers stay."""
    text = (root / file).read_bytes()
    for number, mutant in sorted(mutants.items(), key=lambda item: -item[1].begin):
        form = mutant.form.replace("{m}", f"assay_mutant({number})").replace(
            "{t}", f"assay_mutant_of_table({number})").encode()
        text = text[:mutant.begin] + form + text[mutant.end:]
    return f'#include "{SWITCH}"\n#line 1\n' + text.decode()


def compiling(root: pathlib.Path, command: list[str], unit: pathlib.Path, file: str,
              mutants: dict[int, Mutant]) -> dict[int, Mutant]:
    """Those after whose change the translation unit still compiles."""
    while mutants:
        text = written(root, file, mutants)
        tried = parse(command, unit, [(str(root / file), text),
                                      (str(root / SWITCH), SWITCH_TEXT)])
        errors = {(str(d.location.file), d.location.line) for d in tried.diagnostics
                  if d.severity >= 3}
        lines = {line for _, line in errors}
        bad = {number for number, mutant in mutants.items()
               if any(mutant.line <= line <= mutant.line + mutant.form.count("\n")
                      for line in lines)}
        if not errors:
            return mutants
        if not bad:
            return {}
        mutants = {n: m for n, m in mutants.items() if n not in bad}
    return {}


# A mutant is on when its number is in the environment; those whose place was
# reached are marked in a file, so that nobody asks for the others.
SWITCH_TEXT = """#pragma once
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wall"
#include <cstdio>
#include <cstdlib>
#include <type_traits>
inline constexpr int kAssayMutants = 4096;
inline char assay_reached[kAssayMutants] = {};
struct AssayMutants {
  int on = std::getenv("ASSAY_MUTANT") ? std::atoi(std::getenv("ASSAY_MUTANT")) : 0;
  ~AssayMutants() {
    const char* name = std::getenv("ASSAY_REACHED");
    std::FILE* file = name ? std::fopen(name, "a") : nullptr;
    if (!file) return;
    for (int i = 0; i < kAssayMutants; ++i) {
      if (assay_reached[i]) std::fprintf(file, "%d\\n", i);
    }
    std::fclose(file);
  }
};
inline AssayMutants assay_mutants;
constexpr bool assay_mutant(int number) {
  if (std::is_constant_evaluated()) return false;
  assay_reached[number] = 1;
  return assay_mutants.on == number;
}
inline bool assay_mutant_of_table(int number) {
  assay_reached[number] = 1;
  static const char* on = std::getenv("ASSAY_MUTANT");
  return on && std::atoi(on) == number;
}
"""
