#!/usr/bin/env python3
"""Checks who includes whom: the folders of docs/architecture.md, and where other libraries may appear.

check_layers.py [ROOT]        prints file:line: message for every wrong include; exit code 1 if any
check_layers.py --self-test   plants wrong includes and checks that each is found
"""
import pathlib
import re
import sys
import tempfile

BASE = ["support", "tensor", "ir", "ops"]
MAY_INCLUDE = {folder: set(BASE[: i + 1]) for i, folder in enumerate(BASE)}
MAY_INCLUDE |= {folder: {*BASE, folder} for folder in ("passes", "frontend", "interpreter")}
MAY_INCLUDE["api"] = {*MAY_INCLUDE, "api"}
MAY_INCLUDE["rpc"] = {*MAY_INCLUDE, "rpc"}

# What is included, which files may do it, and how that is said.
LIBRARIES = [
    (r"boost/", r"interpreter/(.*/)?(scheduler|fiber)[^/]*$", "interpreter/'s scheduler* and fiber*"),
    (r"(grpc|grpcpp|grpc\+\+|google/protobuf)/|.*\.pb\.h$", r"rpc/", "rpc/"),
    (r"(cblas|lapacke?|openblas|sleef|dnnl)[^/]*\.h|oneapi/dnnl/|hwy/", r"tensor/", "tensor/"),
    (r"dlpack/", r"tensor/", "tensor/"),
    (r"zip\.h$", r"(tensor/zip\.cpp|frontend/archive/)", "tensor/zip.cpp and frontend/archive/"),
    (r"(thread|pthread\.h)$", r"interpreter/", "interpreter/"),
]
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def problem(path, quoted, target):
    """What is wrong with `path` including `target`, or None."""
    folder, first = path.split("/")[0], target.split("/")[0]
    if first == "tine" and not quoted:
        return f'<{target}> is for users; write "{target[5:]}"'
    for library, files, where in LIBRARIES:
        if re.match(library, target) and not re.match(files, path):
            return f"<{target}> may be included only by {where}"
    ways = [name.split("/")[1] for name in (path, target) if name.startswith("frontend/")]
    if len(ways) == 2 and ways[0] != ways[1]:
        return f"frontend/{ways[0]}/ may not include frontend/{ways[1]}/"
    if first in MAY_INCLUDE and "/" in target:
        return None if first in MAY_INCLUDE[folder] else f"{folder}/ may not include {first}/"
    if quoted and first != "llvm":
        return f'"{target}" does not start with a folder that {folder}/ may include'
    return None


def check(root):
    """The wrong includes under `root`, as file:line: message."""
    found = []
    for folder in MAY_INCLUDE:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".h", ".cpp", ".def", ".inc"):
                continue
            path = file.relative_to(root).as_posix()
            for number, line in enumerate(file.read_text().splitlines(), 1):
                include = INCLUDE.match(line)
                message = include and problem(path, include[1] == '"', include[2])
                if message:
                    found.append(f"{path}:{number}: {message}")
    return found


WRONG = """
support/a.h "tensor/x.h"            tensor/a.h "ir/x.h"              ir/a.cpp "ops/x.h"
ops/a.cpp "passes/x.h"              passes/a.cpp "interpreter/x.h"   passes/b.cpp "frontend/x.h"
frontend/s/a.cpp "passes/x.h"       frontend/s/b.cpp "interpreter/x" interpreter/a.cpp "passes/x.h"
interpreter/b.cpp "api/x.h"         api/a.cpp "rpc/x.h"              ir/b.h "tests/x.h"
ir/c.h "graph.h"                    ir/d.h <tine/ir/x.h>             interpreter/c.h <boost/x.hpp>
api/b.cpp <boost/fiber/fiber.hpp>   api/c.cpp <grpcpp/grpcpp.h>      api/d.cpp "rpc.pb.h"
ops/b.cpp <cblas.h>                 ops/c.cpp <hwy/highway.h>        ops/d.cpp <sleef.h>
ops/e.cpp <oneapi/dnnl/dnnl.hpp>    passes/c.cpp <thread>            rpc/a.cpp <boost/x.hpp>
ops/f.cpp <dnnl.hpp>                passes/d.h <pthread.h>           tensor/b.cpp <thread>
frontend/s/d.cpp "frontend/t/x.h"   ir/e.cpp <dlpack/dlpack.h>          tensor/c.cpp <zip.h>             frontend/s/c.cpp <zip.h>
"""
RIGHT = """
ir/ok.cpp "tensor/x.h"              ir/ok.h <llvm/ADT/ilist.h>       tensor/kernels/ok.cpp <cblas.h>
interpreter/ok.cpp <thread>         interpreter/scheduler_fiber.cpp <boost/fiber/all.hpp>
frontend/s/ok.cpp "frontend/s/x.h"  api/ok.cpp "frontend/s/x.h"
api/ok.h "interpreter/x.h"          rpc/ok.cpp <grpcpp/grpcpp.h>     tools/ok.cpp <boost/x.hpp>
rpc/ok.h "api/x.h"                  support/ok.h <vector>            tests/ok.cpp "interpreter/x.h"
tensor/dlpack.cpp <dlpack/dlpack.h> tensor/zip.cpp <zip.h>           frontend/archive/ok.cpp <zip.h>
"""


def self_test():
    def planted(text):
        pairs = re.findall(r'(\S+) ([<"]\S+[>"])(?:\s|$)', text)
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            for path, target in pairs:
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(f"#pragma once\n#include {target}\n")
            return {path for path, _ in pairs}, check(root)

    wrong, found = planted(WRONG)
    missed = wrong - {line.split(":2: ")[0] for line in found}
    return [f"not found: {path}" for path in sorted(missed)] + planted(RIGHT)[1]


if __name__ == "__main__":
    arguments = sys.argv[1:]
    root = pathlib.Path(__file__).resolve().parent.parent
    if arguments == ["--self-test"]:
        failures = self_test()
    else:
        failures = check(pathlib.Path(arguments[0]) if arguments else root)
    print("\n".join(failures) or "layers: fine")
    sys.exit(1 if failures else 0)
