"""Seeds of the libFuzzer targets: examples, cases, test data; and a dictionary."""

import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^\s*```(hlo|mlir)[^\n]*\n(.*?)^\s*```", re.M | re.S)
RAW_STRING = re.compile(r'R"\((.*?)\)"', re.S)
LONGEST = 6000

SHORT = {
    "inputs_fuzz": [
        "2x2xf32=1 2 3 4",
        "2x2xf32=[[1 2][3 4]]",
        "3xi8=0xff 1 -2",
        "{ {1, 2}, {3, nan(0x400001)} }",
        "f32[2,2] {{1, 2}, {3, -inf}}",
        "2xc64=(1,2) (3,4)",
        "({1, 2}, 7)",
        "true",
    ],
    "profile_fuzz": [
        "tight",
        "relaxed,subnormals=daz+ftz,nan=any",
        "faithful,zero-sign=lax,contraction=fma,excess-precision=allowed",
        "xla-exhaustive,accumulation=bf16x6",
    ],
    "filter_fuzz": [
        "abs/*:-*/f32/*\nabs/f16/Special",
        "*a?c*:*:-\nabcabc",
        "\n",
    ],
    "element_fuzz": [
        "%x[1,2]",
        "x.1{0,1}[1,2]",
        "main/sum[1]",
        "add/x.1",
        "{2}[0,0]",
        "%pair{1}",
        "none",
    ],
    "layout_fuzz": [
        "f32[3,5]{1,0:T(2,2)}",
        "bf16[7,3,9]{2,0,1:T(8,128)(2,1)}",
        "s4[10]{0:T(4)E(4)}",
        "f32[2,<=3]{0,1:M(64)}",
        "f32[5,4]{0,1:T(2,*)L(16)S(1)}",
        "pred[]",
    ],
    "frame_fuzz": [
        '{"type":"hello","version":1,"name":"n","program":"hlo","layouts":"dense"}',
        '{"type":"answers","answers":[{"id":1,"results":[{"shape":"u8[1]","bytes":1}]},'
        '{"id":2,"failed":"x"}]}',
        "ASSY\x02\0\0\0\x01\0\0\0\0\0\0\0{}x",
    ],
    "request_fuzz": [
        '{"operation":"evaluate","inputs":[{"type":"s8","dims":[2,2]}],"threads":2}\nx\nabcd',
        '{"operation":"judge","profile":"tight","results":[{"type":"s4","dims":[1]}]}\nx\na',
        '{"operation":"bounds","max_work":100}\nx',
    ],
    "served_messages_fuzz": [
        '{"type":"hello","versions":[1]}',
        '{"type":"run","cases":[{"id":7,"program":3,"inputs":[{"shape":"u8[2]","bytes":2}],'
        '"results":[{"shape":"u8[1]","bytes":1}]}]}\nabcd',
    ],
    "results_fuzz": [
        "7" * 64 + '[true,"",4,0,1,0,null,0,null]',
        "7" * 64 + '[false,"no f64",0,0,0,0,4607182418800017408,0,3]',
        "processor : 0\nmodel name : A\nflags : x\n",
    ],
    "events_fuzz": [
        '{"event":"begin","backend":"b:","cases":1,"manifest":"0","version":"0.1.0","build":"0",'
        '"profile":"tight","require":"","levels":false,"waivers":"","strict":false,"shard":0,'
        '"of":1,"command":"assay"}\n'
        '{"event":"case","position":0,"id":"add/f32/x","verdict":"conforms","source":"exact",'
        '"file":"f","line":2,"elements":4,"inexact":0,"outside":0,"worst_ulps":0}\n'
        '{"event":"end","cases":1,"verdicts":{},"flaky":0,"exit_code":0}\n',
        '{"event":"case","position":7,"id":"add/c64/x","verdict":"differs","source":"reference",'
        '"file":"f","line":2,"statement":"s","message":"m","flaky":"conforms","elements":4,'
        '"inexact":2,"outside":1,"worst_ulps":"nan","empty_bounds":1,"of_bound":"0.500000",'
        '"level":3,"difference":{"leaf":1,"index":[2,0],"expected":"from 1 to 2","type":"c64",'
        '"reference":"3f800000:80000000","actual":"7fc00000:00000000","ulps":-3}}',
    ],
    "event_file_fuzz": [
        '{"event":"begin","backend":"b:","cases":2,"manifest":"0","version":"0.1.0","build":"0",'
        '"profile":"tight","require":"","levels":true,"shard":0,"of":1,"command":"assay"}\n'
        '{"event":"case","position":0,"id":"add/f32/x","verdict":"conforms","source":"exact",'
        '"file":"f","line":2,"elements":4,"inexact":1,"outside":0,"worst_ulps":1,"level":2}\n'
        '{"event":"case","position":1,"id":"add/f32/y","verdict":"crashed","source":"exact",'
        '"file":"f","line":3,"message":"</script>|","flaky":"conforms"}\n'
        '{"event":"end","cases":2}\n\n\n'
        '{"event":"case","position":0,"id":"add/f32/x","verdict":"differs","source":"exact",'
        '"file":"f","line":2,"elements":4,"inexact":1,"outside":1,"worst_ulps":3,"difference":'
        '{"leaf":0,"index":[1],"expected":"1","type":"f32","reference":"3f800000",'
        '"actual":"3f800003","ulps":3}}\n{"event":"ca',
    ],
    "waivers_fuzz": [
        '{"waivers": [\n {"cases": "add/*", "engine": "jax:*", "reason": "r", "owner": "o",\n'
        '  "expires": "2027-01-31", "link": "https://e.org/1"}]}',
        '{"waivers": []}',
    ],
    "sweep_events_fuzz": [
        '{"event":"begin","sweep":"exponential","type":"bf16","range":"0:1","backend":"b:",'
        '"profile":"tight","units_per_ulp":1024,"version":"0.1.0","build":"0","chunks":1}\n'
        '{"event":"chunk","chunk":0,"elements":2,"same":1,"measured":2,"sum":9,'
        '"worst":{"units":9,"operands":["3f80","0"],"actual":"402e","reference":"402d"},'
        '"histogram":{"0":2},"faults":{"zero_sign":{"count":1,"first":["0","0"]}},'
        '"peaks":[[9],[]],"odd":false,"even":false,"levels":{},"flushing":{}}\n',
        '{"event":"begin","sweep":"multiply","type":"c64","range":"","backend":"b:",'
        '"profile":"tight","units_per_ulp":1024,"version":"0.1.0","build":"0","chunks":16}\n'
        '{"event":"chunk","chunk":0,"elements":2,"same":1,"measured":3,"sum":9,'
        '"worst":{"units":9,"operands":["3f80:7","0:1"],"actual":"402e:1","reference":"402d:0",'
        '"part":1},"histogram":{"0":3},"faults":{},"peaks":[[],[]],"odd":false,"even":false,'
        '"levels":{"cr":{"count":1,"first":["1:2","3"]}},"flushing":{}}\n',
        '{"event":"chunk","chunk":7,"elements":4,"same":2,"measured":3,"sum":512,'
        '"worst":{"units":510,"operands":["3f80","0"],"actual":"402e","reference":"402d"},'
        '"histogram":{"0":2,"480":1},"faults":{"nan":{"count":1,"first":["4000","0"]}},'
        '"peaks":[[510,-1],[3]],"odd":true,"even":false,'
        '"levels":{"exact":{"count":1,"first":["3f80","0"]}},"flushing":{}}',
    ],
    "checksums_fuzz": ["0123456789abcdef\nfedcba9876543210\n", ""],
}

# Programs as JAX prints them: aliases of locations, attributes of arguments,
# private functions, composites, sharding, both forms of blobs.
JAX = [
    b"""#loc1 = loc("x")
module @jit_f attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<4x2xf32> {mhlo.layout_mode = "default", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32} loc("x")) -> (tensor<4x2xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<"0x0000803F00000040"> : tensor<2xf32> loc(#loc)
    %0 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32> loc(#loc2)
    %1 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %2 = call @clip(%0, %1) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc2)
    return %2 : tensor<4x2xf32> loc(#loc)
  } loc(#loc)
  func.func private @clip(%arg0: tensor<4x2xf32>, %arg1: tensor<4x2xf32>) -> tensor<4x2xf32> {
    %0 = stablehlo.minimum %arg0, %arg1 : tensor<4x2xf32>
    return %0 : tensor<4x2xf32>
  }
}
#loc = loc(unknown)
#loc2 = loc("jit(f)/jit(main)/add"(#loc1))
""",
    b"""module @jit_g {
  func.func public @main(%arg0: tensor<8xi1>, %arg1: tensor<2x3xcomplex<f32>>) -> (tensor<3xi32>, tensor<2x3xf32>) {
    %c = stablehlo.constant dense<"0xA5"> : tensor<8xi1>
    %c_0 = stablehlo.constant dense<[1, -2, 3]> : tensor<3xi32>
    %0 = stablehlo.xor %arg0, %c : tensor<8xi1>
    %1 = stablehlo.real %arg1 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %2 = stablehlo.composite "chlo.erf_inv" %1 {composite_attributes = {k = 2 : i64}, decomposition = @d, version = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %3 = chlo.lgamma %2 : tensor<2x3xf32> -> tensor<2x3xf32>
    %values, %indices = chlo.top_k(%3, k = 1) : tensor<2x3xf32> -> (tensor<2x1xf32>, tensor<2x1xi32>)
    %4 = "stablehlo.gather"(%c_0, %indices) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<2x1xi32>) -> tensor<2xi32>
    stablehlo.custom_call @check.expect_eq(%4, %4) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
    check.expect_almost_eq_const %2, dense<1.0> : tensor<2x3xf32>, tolerance = 0.01
    return %c_0, %3 : tensor<3xi32>, tensor<2x3xf32>
  }
  func.func private @d(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    return %arg0 : tensor<2x3xf32>
  }
}
""",
]


def npy(descr: str, shape: str, size: int) -> bytes:
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n"
    return b"\x93NUMPY\x01\x00" + bytes([len(head), 0]) + head.encode() + bytes(size)


def examples(language: str) -> list[bytes]:
    pages = sorted((ROOT / "spec").rglob("*.md"))
    return [
        body.split("\n---")[0].encode()
        for page in pages
        for fence, body in FENCE.findall(page.read_text())
        if fence == language
    ]


def stablehlo_files() -> list[bytes]:
    folder = pathlib.Path(os.environ.get("ASSAY_DATA", ROOT / "../shared/data"))
    files = sorted((folder / "stablehlo").rglob("*.mlir"))
    files += sorted((ROOT / "conformance/programs/stablehlo").glob("*.mlir"))
    return [f.read_bytes() for f in files if f.stat().st_size < LONGEST]


def tested_programs() -> list[bytes]:
    """What the tests of the import read: CHLO, checks, regions, blobs."""
    files = sorted((ROOT / "interpreter/stablehlo").rglob("*_test.cc"))
    return [
        text.encode()
        for file in files
        for text in RAW_STRING.findall(file.read_text())
        if "%" in text
    ]


def exported(programs: list[bytes]) -> list[bytes]:
    """The programs as the newest assay prints them: the generic form of all
    operations. Nothing where assay is not built."""
    built = sorted((ROOT / "build").glob("*/assay"), key=lambda f: f.stat().st_mtime)
    texts = []
    for program in programs if built else []:
        with tempfile.NamedTemporaryFile(suffix=".hlo") as file:
            file.write(program)
            file.flush()
            command = [built[-1], "fmt", "--to", "stablehlo", file.name]
            done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode == 0 and len(done.stdout) < LONGEST:
            texts.append(done.stdout)
    return texts


def cases() -> list[dict]:
    files = sorted((ROOT / "conformance/vectors").glob("*.jsonl"))
    return [json.loads(line) for f in files for line in f.open() if '"id"' in line]


@functools.cache
def programs() -> list[bytes]:
    """The shortest program of each operation, and some of the examples."""
    shortest: dict[str, str] = {}
    for case in (case for case in cases() if "hlo" in case):
        operation = case["id"].split("/")[0]
        if len(case["hlo"]) < len(shortest.get(operation, "x" * LONGEST)):
            shortest[operation] = case["hlo"]
    return [text.encode() for text in shortest.values()] + examples("hlo")[::8]


def lines_of_vectors() -> list[bytes]:
    lines = []
    for file in sorted((ROOT / "conformance/vectors").glob("*.jsonl")):
        lines += file.read_bytes().splitlines()[:3]
    return [line for line in lines if len(line) < 4000]


NPY = [npy("<f4", "(2, 3)", 24), npy("<V1", "(5,)", 5), npy(">c16", "()", 16)]


def encoded(texts: list[str]) -> list[bytes]:
    return [text.encode() for text in texts]


def seeds(target: str) -> list[bytes]:
    if target == "parser_fuzz":
        return examples("hlo")
    if target == "parse_fuzz":
        texts = examples("mlir") + stablehlo_files() + tested_programs()
        texts += [c["stablehlo"].encode() for c in cases() if "stablehlo" in c]
        return JAX + texts + exported(examples("hlo"))
    if target == "case_fuzz":
        return lines_of_vectors()
    if target == "npy_fuzz":
        return NPY
    if target in SHORT:
        return encoded(SHORT[target])
    return programs()


def write(target: str, folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for seed in seeds(target):
        (folder / hashlib.sha1(seed).hexdigest()).write_bytes(seed)


WORD = re.compile(r"[a-z][a-z0-9_]*(?:-[a-z0-9_]+)*(?:=|(?=[(\[]))")


@functools.cache
def dictionary(build: pathlib.Path) -> pathlib.Path:
    """A file of the words that stand before a bracket or are given a value in
    programs: operations, types, attributes."""
    words = {w for text in programs() for w in WORD.findall(text.decode())}
    file = build / "words.dict"
    file.write_text("".join(f'"{word}"\n' for word in sorted(words)))
    return file
