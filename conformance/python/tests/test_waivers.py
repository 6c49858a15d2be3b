"""Files of waivers: what is one, and what waivers say of cases."""

import datetime
import json
import os
import pathlib
import subprocess

import pytest

import assay
from assay.check_run import declared_tags
from assay.waivers import Waiver, Waivers, matches, read_waivers

SCHEMA = pathlib.Path(__file__).resolve().parents[3] / "spec/schema/waivers.schema.json"
GOOD = {"cases": "add/f32/*", "reason": "why", "owner": "who", "expires": "2027-01-31"}
DAY = datetime.date(2027, 1, 31)


def changed(**fields):
    return {key: value for key, value in {**GOOD, **fields}.items() if value is not None}


def text_of(*waivers, **more):
    return json.dumps({**more, "waivers": waivers})


ENGINES = [{"engine": "jax:*", "tags": ["no-f64", "flushes"]},
           {"engine": "cpu:", "tags": []}]


RIGHT = [
    text_of(), text_of(GOOD), text_of(GOOD, GOOD),
    text_of(changed(link="https://example.org/1", engine="jax:*")),
    text_of(changed(link="http://example.org")), text_of(changed(reason=" ü \n")),
    text_of(engines=[]), text_of(GOOD, changed(tag="no-*"), engines=ENGINES),
    text_of(changed(tag="no-*")),
]
# What is wrong, and what is said of it.
WRONG = {
    "[]": "an object with .waivers.",
    "{}": "an object with .waivers.",
    '{"waivers": {}}': "must be a list",
    '{"waivers": [], "more": 1}': "an object with .waivers.",
    '{"waivers": [5]}': "waiver 1 is no object",
    text_of(GOOD, changed(cases=None)): "waiver 2 has no cases",
    text_of(changed(reason=None)): "waiver 1 has no reason",
    text_of(changed(owner=None)): "waiver 1 has no owner",
    text_of(changed(expires=None)): "waiver 1 has no expires",
    text_of(changed(reason="")): "reason must be a text",
    text_of(changed(cases="  ")): "cases must be a text",
    text_of(changed(engine=7)): "engine must be a text",
    text_of(changed(number=1)): '"number", but it can have',
    text_of(changed(expires="31.1.2027")): '"31.1.2027", but it must be a day',
    text_of(changed(expires="20270131")): '"20270131", but it must be a day',
    text_of(changed(link="example.org")): '"example.org", but it must begin',
    text_of(changed(link="https://a b")): "have no blanks",
    text_of(changed(tag=""), engines=ENGINES): "tag must be a text",
    text_of(engines={}): '"engines" must be a list',
    text_of(engines=[7]): "an entry of engines must be an object",
    text_of(engines=[{"engine": "cpu:"}]): "an entry of engines must be an object",
    text_of(engines=[{"engine": "cpu:", "tags": "a"}]): "must be texts",
    text_of(engines=[{"engine": "cpu:", "tags": [""]}]): "must be texts",
}
# What a schema cannot say, or jsonschema does not look at.
WRONG_BEYOND_THE_SCHEMA = {
    "": "it is no JSON", "{": "it is no JSON", "[" * 100000: "nested too deep",
    '{"waivers": [], "waivers": []}': '"waivers" stands twice',
    text_of(changed(tag="f64"), engines=ENGINES): '"f64", but it must be a glob',
    text_of(changed(tag="no-f64"), engines=[]): '"no-f64", but it must be a glob',
    text_of(changed(expires="2027-02-29")): '"2027-02-29", but it must be a day',
    text_of(changed(expires="2027-13-01")): '"2027-13-01", but it must be a day',
}


def read(tmp_path, text):
    file = tmp_path / "waivers.json"
    file.write_text(text, encoding="utf-8")
    return read_waivers(file)


@pytest.mark.parametrize("text", RIGHT)
def test_reads_what_is_right(tmp_path, text):
    assert len(read(tmp_path, text)) == len(json.loads(text)["waivers"])


@pytest.mark.parametrize("text, message", (WRONG | WRONG_BEYOND_THE_SCHEMA).items())
def test_says_what_is_wrong(tmp_path, text, message):
    with pytest.raises(assay.ParseError, match=message) as caught:
        read(tmp_path, text)
    assert caught.value.rule == "usage.waivers"
    assert "waivers.json: " in caught.value.message


@pytest.mark.parametrize("texts, is_right", [(RIGHT, True), (WRONG, False)])
def test_the_schema_says_the_same(texts, is_right):
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    for text in texts:
        assert validator.is_valid(json.loads(text)) == is_right, text


def test_mistakes_of_json_have_a_place(tmp_path):
    with pytest.raises(assay.ParseError) as caught:
        read(tmp_path, '{"waivers":\n [}')
    assert (caught.value.line, caught.value.column) == (2, 3)
    assert caught.value.excerpt == " [}\n  ^"


@pytest.mark.parametrize("content", [b"\xff", b'{"waivers": ["\xc3("]}'])
def test_other_bytes_are_refused(tmp_path, content):
    (tmp_path / "w.json").write_bytes(content)
    with pytest.raises(assay.ParseError, match="no UTF-8"):
        read_waivers(tmp_path / "w.json")


def test_files_that_are_none_are_said(tmp_path):
    for path in (tmp_path, tmp_path / "missing.json"):
        with pytest.raises(assay.ParseError, match="it cannot be read: "):
            read_waivers(path)
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate((16 << 20) + 1)
    with pytest.raises(assay.ParseError, match="longer than 16 MiB"):
        read_waivers(tmp_path / "huge.json")


@pytest.mark.parametrize("glob, text, found", [
    ("add/*", "add/f32/values", True), ("add", "add/f32/values", False),
    ("*", "", True), ("a?c", "abc", True), ("a?c", "ac", False),
    ("[a]", "a", False), ("[a]", "[a]", True), ("a.c", "abc", False),
    ("*/f32/*", "add/f32/values", True), ("*f32", "add/f32\n", False)])
def test_globs_have_two_wildcards(glob, text, found):
    assert matches(glob, text) == found


def waivers(backend="jax:cpu", today=DAY, **fields):
    settings = {"cases": "add/*", "reason": "why", "owner": "who", "expires": DAY}
    return Waivers([Waiver(**{**settings, **fields}, number=1)], backend, today)


def test_the_last_day_counts():
    after = DAY + datetime.timedelta(days=1)
    assert waivers().active_of("add/f32/x") and not waivers().expired
    assert not waivers(today=after).active_of("add/f32/x")
    assert waivers(today=after).expired_of("add/f32/x")


def test_other_engines_are_not_meant():
    assert waivers(engine="jax:*").active_of("add/f32/x")
    assert not waivers(engine="iree:*").active_of("add/f32/x")
    # Nor are its waivers unused.
    assert waivers(engine="iree:*").findings([("add/f32/x", True)]) == []


def test_tags_name_engines(tmp_path):
    (flushes,) = read(tmp_path, text_of(changed(tag="fl*"), engines=ENGINES))
    assert flushes.tagged == ("jax:*",)
    assert flushes.is_of("jax:cpu") and not flushes.is_of("cpu:")
    assert Waivers([flushes], "jax:cpu", DAY).active_of("add/f32/x")
    assert not Waivers([flushes], "cpu:", DAY).active_of("add/f32/x")


def test_backends_give_themselves_tags(tmp_path):
    """Where the file says nothing of engines."""
    (dynamic,) = read(tmp_path, text_of(changed(tag="dynamic-*")))
    assert dynamic.asks_backends and dynamic.tagged is None
    tags = declared_tags("cpu:")
    assert tags == ["devices", "dynamic-sizes", "explicit-layouts"]
    assert Waivers([dynamic], "cpu:", DAY, tags).active_of("add/f32/x")
    assert not Waivers([dynamic], "cpu:", DAY).active_of("add/f32/x")
    assert not Waivers([dynamic], "cpu:", DAY, ["no-f64"]).active_of("add/f32/x")


@pytest.mark.parametrize("went_well, said", [
    ({"add/f32/x": False}, []),
    ({"add/f32/x": None}, []),
    ({"add/f32/x": False, "add/f32/y": True, "add/f32/z": None},
     ["contradicted", "1 of 2 conform, first add/f32/y"]),
    ({"sub/f32/x": False}, ["unused", "no case of this run is meant"]),
    ({}, ["unused", "no case of this run is meant"])])
def test_finds_what_cases_say_against_waivers(went_well, said):
    lines = waivers().findings(list(went_well.items()))
    assert len(lines) == bool(said)
    assert all(word in lines[0] for word in said)


def test_cases_of_one_id_count_each():
    same = [("add/f32/x", True), ("add/f32/x", False), ("add/f32/x", True)]
    (line,) = waivers().findings(same)
    assert "2 of 3 conform" in line


def test_expired_waivers_are_told():
    (line,) = waivers(today=datetime.date(2030, 1, 1)).findings([])
    assert line.startswith("expired ") and "until 2027-01-31" in line


ROOT = SCHEMA.parents[2]
CASES = ROOT / "conformance/vectors/maximum.jsonl"


def check(*arguments):
    """`assay check` of a few cases: what it prints, complains and returns."""
    done = subprocess.run([os.environ["ASSAY_PROGRAM"], "check", str(CASES), "--backend",
                           "mutant:drop-nan", "--filter", "maximum/f32/*", "--failures", "0",
                           *arguments], capture_output=True, text=True, check=False)
    return done.stdout, done.stderr, done.returncode


@pytest.mark.parametrize("text", [*RIGHT, *WRONG, *WRONG_BEYOND_THE_SCHEMA,
                                  text_of() + "\0{", text_of(changed(reason="\ud800")),
                                  '{"waivers": [' + "9" * 5000 + "]}",
                                  text_of(changed(owner="\u2003")), "\ufeff" + text_of(),
                                  text_of(changed(link="https://a\u00a0b")),
                                  text_of(changed(expires="0000-01-01"))])
def test_the_command_takes_the_same_files(tmp_path, text):
    file = tmp_path / "w.json"
    file.write_text(text, encoding="utf-8")
    try:
        read_waivers(file)
        is_right = True
    except assay.ParseError:
        is_right = False
    _, complaint, code = check("--waivers", str(file))
    assert (code != 2) == is_right, complaint
    assert is_right or "error: usage.waivers: " in complaint


@pytest.mark.parametrize("strict", [[], ["strict"]])
def test_the_command_says_the_same_of_cases(tmp_path, strict):
    file = tmp_path / "w.json"
    file.write_text(text_of(
        changed(cases="maximum/f32/v?lues"), changed(cases="maximum/f32/*"),
        changed(cases="maximum/f32/*", engine="jax:*"), changed(cases="pad/*"),
        changed(cases="*", expires="2001-01-01", link="https://example.org/1")))
    events = tmp_path / "e.jsonl"
    out, _, code = check("--waivers", str(file), "-o", str(events), "--today", "2027-01-31",
                         *[f"--{word}" for word in strict])
    cases = [event for line in events.read_text().splitlines()
             if (event := json.loads(line))["event"] == "case"]
    known = Waivers(read_waivers(file), "mutant:drop-nan", DAY)
    good = {"conforms": True, "differs": False, "refused": None}
    went_well = {case["id"]: good[case["verdict"]] for case in cases}
    assert True in went_well.values() and False in went_well.values()
    for case in cases:
        assert case.get("waiver", "None") == str(known.active_of(case["id"]))
    findings = known.findings(list(went_well.items()))
    kinds = ("expired ", "unused ", "contradicted ")
    assert [line for line in out.splitlines() if line.startswith(kinds)] == findings
    assert len(findings) == 3
    assert code == (1 if strict else 0)
