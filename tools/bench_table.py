#!/usr/bin/env python3
"""Runs the benchmarks and prints one table: what Tine takes, what its rivals take, and the goals.

bench_table.py DIRECTORY [--filter=REGEX] [--repetitions=9] [--min-time=0.05] [--markdown]
    runs every *_bench of the directory, keeps the medians in DIRECTORY/results.json, prints the table
bench_table.py DIRECTORY --read [--markdown]
    prints the table of the results that are there
bench_table.py --self-test

A row's name is Topic/Row[/n:SIZE]/WHO[/workers:N].  Times are of one item: a fork, an iteration, a
node; rows of memory are in bytes.  (2.0x) beside a rival: it takes twice as long as Tine.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

# Nanoseconds for one item that a row must not exceed: the first goal, then the final one.  A rival's
# name: not slower than it.
GOALS = {
    "Text/Parse": (1000, 500),
    "Text/Print": (200, 100),
    "Graph/Compile": (None, 200),
    "Fork/Int": (300, 60),
    "Fork/Tensor": (None, 120),
    "Fork/Chain": (None, 60),
    "Fork/FanOut": (None, 90),
    "Fork/Tree": (None, 60),
    "Fork/Skynet": (None, 60),
    "Fork/Error": (None, 5000),
    "Wake/Parked": (None, 250),
    "Wake/Fiber": (None, 250),
    "Wake/Foreign": (None, 12000),
    "Branches/Matmul": (None, "calls"),
    "Branches/Lstm": (None, "calls"),
    "Loop/For": (15, "lua"),
    "Loop/While": (None, "lua"),
    "Loop/If": (None, "lua"),
    "Loop/List": (None, "lua"),
    "Loop/Polynomial": (None, "lua"),
    "Loop/Call": (None, "lua"),
    "Dispatch/Add": (60, 35),
    "Dispatch/Call": (None, 40),
    "Source/Compile": (None, 50000),  # 20,000 lines in a second
    "Start/Version": (None, 15e6),
    "Memory/Pending": (None, 110),
    "Memory/Blocked": (None, 600),
    "Memory/Skynet": (None, 450),  # 50 MB
}
SPEED_UP = {"Fork/Tree": 1.8, "Branches/Matmul": 1.9, "Branches/Lstm": 1.9}  # at two workers, at least
GROWTH = {"Scale": 15, "Source": 12}  # of time at ten times the size, at most
RIVALS = {"torchscript": "TorchScript", "tbb": "oneTBB", "lua": "Lua"}  # those that may be absent
NAME = re.compile(r"(\w+/\w+)(/n:\d+)?/(\w+)(?:/workers:(\d+))?")


def run(directory, options):
    """Runs the benchmarks; the medians with what the machine is."""
    programs = sorted(p for p in directory.glob("*_bench") if os.access(p, os.X_OK))
    if not programs:
        sys.exit("no benchmarks in the directory")
    results = {"machine": machine(), "medians": {}}
    for program in programs:
        with tempfile.NamedTemporaryFile("r", suffix=".json") as out:
            command = [
                program,
                f"--benchmark_filter={options.filter}",
                f"--benchmark_repetitions={options.repetitions}",
                f"--benchmark_min_time={options.min_time}",
                f"--benchmark_out={out.name}",
            ]
            print(f"running {program.name}", file=sys.stderr)
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if done.returncode:
                sys.exit(f"{program.name} failed\n{done.stdout}{done.stderr}")
            written = out.read()
        if not written:  # the filter chose none
            continue
        report = json.loads(written)
        for key in ("compiler", "rivals"):
            results["machine"][key] = report["context"][key]
        times = {}
        for entry in report["benchmarks"]:
            if entry["run_type"] == "iteration":
                name = re.sub(r"(/(real_time|manual_time|iterations:\d+))+$", "", entry["run_name"])
                times.setdefault(name, []).append(entry.get("bytes", entry["real_time"]))
        results["medians"] |= {name: statistics.median(t) for name, t in times.items()}
    if not results["medians"]:
        sys.exit("the filter chooses no benchmark")
    return results


def machine():
    """The machine, without its name."""
    cpuinfo = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"^model name\s*: (.*)", cpuinfo, re.M)
    cores = len(os.sched_getaffinity(0))
    return {"cpu": model[1] if model else "unknown", "cores": cores, "load": os.getloadavg()[0]}


def rows(medians):
    """{(row, workers): {who: nanoseconds}}, in the order in which the rows came, fewer workers
    first.  A rival without workers stands beside one worker."""
    parsed = [(NAME.fullmatch(name), time) for name, time in medians.items()]
    if not all(match for match, _ in parsed):
        sys.exit("a row's name is not Topic/Row[/n:SIZE]/WHO[/workers:N]")
    with_workers = {match[1] for match, _ in parsed if match[4]}
    table = {}
    for match, time in parsed:
        row = match[1] + (match[2] or "")
        workers = match[4] or ("1" if match[1] in with_workers else "")
        table.setdefault((row, workers), {})[match[3]] = time
    order = list(dict.fromkeys(row for row, _ in table))
    return dict(sorted(table.items(), key=lambda item: (order.index(item[0][0]), item[0][1])))


def number(time):
    digits = 0 if time >= 100 else 1 if time >= 10 else 2
    return f"{time:,.{digits}f}"


def ratio(x):
    return "<0.01x" if x < 0.01 else f"{x:.2f}x" if x < 1 else f"{x:.1f}x" if x < 10 else f"{x:,.0f}x"


def goal(row, times):
    """The goals of a row, and whether they are reached."""
    cells = []
    for limit in GOALS.get(base(row), ()):
        name = limit if isinstance(limit, str) else None
        bound = times.get(name) if name else limit
        shown = name or (f"{limit:,.0f}" if limit else "")
        if not shown:
            continue
        reached = "tine" in times and bound is not None and times["tine"] <= bound
        known = "tine" in times and bound is not None
        cells.append(f"<= {shown}" + (" yes" if reached else " NO" if known else ""))
    return ", ".join(cells)


def base(row):
    return row.split("/n:")[0]


def tables(results):
    """[(heading, header, lines)]: a table for each topic, the speed-up, the growth."""
    table = rows(results["medians"])
    found = []
    for topic in dict.fromkeys(row.split("/")[0] for row, _ in table):
        mine = {key: times for key, times in table.items() if key[0].split("/")[0] == topic}
        rivals = list(dict.fromkeys(who for times in mine.values() for who in times if who != "tine"))
        lines = []
        for (row, workers), times in mine.items():
            label = row.split("/", 1)[1] + (f" workers:{workers}" if workers else "")
            tine = times.get("tine")
            cells = [label, number(tine) if tine is not None else "-"]
            for rival in rivals:
                cell = number(times[rival]) if rival in times else ""
                if cell and tine:
                    cell += f" ({ratio(times[rival] / tine)})"
                cells.append(cell)
            lines.append(cells + [goal(row, times)])
        found.append((topic, [topic, "tine", *rivals, "goal"], lines))

    lines = []
    for (row, workers), times in table.items():
        for who, time in times.items() if workers == "1" else ():
            two = table.get((row, "2"), {}).get(who)
            if two:
                least = SPEED_UP.get(base(row)) if who == "tine" else None
                verdict = f">= {least} {'yes' if time / two >= least else 'NO'}" if least else ""
                lines.append([f"{row} {who}", f"{time / two:.2f}x", verdict])
    if lines:
        found.append(("Two workers", ["two workers", "faster than one", "goal"], lines))

    lines = []
    for (row, workers), times in table.items():
        size = re.search(r"/n:(\d+)$", row)
        larger = size and table.get((f"{base(row)}/n:{size[1]}0", workers), {}).get("tine")
        most = GROWTH.get(row.split("/")[0])
        if most and larger and times.get("tine"):
            grown = 10 * larger / times["tine"]
            verdict = f"<= {most}x {'yes' if grown <= most else 'NO'}"
            sizes = f"{int(size[1]):,} to {int(size[1]) * 10:,}"
            lines.append([f"{base(row)} {sizes}", f"{grown:.1f}x", verdict])
    if lines:
        found.append(("Growth", ["ten times the size", "time", "goal"], lines))
    return found


def about(results):
    machine = results["machine"]
    absent = [name for name in RIVALS.values() if name not in machine["rivals"]]
    lines = [
        f"{machine['cores']} cores, {machine['cpu']}; {machine['compiler']}; {machine['rivals']}.",
        "Medians, in nanoseconds (Memory: bytes) for one item; (2.0x): twice what Tine takes.",
    ]
    if absent:
        lines.append(f"Absent: {', '.join(absent)}.")
    if machine["load"] > machine["cores"] / 2:
        lines.append(f"The machine was busy (load {machine['load']:.1f}): read only orders of magnitude.")
    return lines


def text(results):
    """The tables, aligned."""
    out = []
    for _, header, lines in tables(results):
        widths = [max(len(line[i]) for line in [header, *lines]) for i in range(len(header))]
        for line in [header, *lines]:
            cells = [line[0].ljust(widths[0])]
            cells += [cell.rjust(width) for cell, width in zip(line[1:-1], widths[1:-1])]
            out.append("  ".join([*cells, line[-1]]).rstrip())
        out.append("")
    return "\n".join(out + about(results))


def markdown(results):
    """The tables for a README."""
    out = about(results)
    for _, header, lines in tables(results):
        rule = ["---", *["---:"] * (len(header) - 2), "---"]
        out += ["", *("| " + " | ".join(line) + " |" for line in [header, rule, *lines])]
    return "\n".join(out)


SAMPLE = {
    "machine": {"cpu": "A CPU", "cores": 2, "load": 0.1, "compiler": "GNU 12", "rivals": "Lua 5.4"},
    "medians": {
        "Fork/Tree/n:20/plain": 2.0,
        "Fork/Tree/n:20/tine/workers:0": 70.0,
        "Fork/Tree/n:20/tine/workers:1": 50.0,
        "Fork/Tree/n:20/tine/workers:2": 25.0,
        "Fork/Tree/n:20/tbb/workers:1": 1250.0,
        "Loop/For/tine": 10.0,
        "Loop/For/lua": 5.0,
        "Scale/ChainRun/n:10/tine": 1.0,
        "Scale/ChainRun/n:100/tine": 2.0,
        "Text/Parse/torchscript": 3200.0,
    },
}
EXPECTED = """\
Fork                 tine         plain          tbb  goal
Tree/n:20 workers:0  70.0                             <= 60 NO
Tree/n:20 workers:1  50.0  2.00 (0.04x)  1,250 (25x)  <= 60 yes
Tree/n:20 workers:2  25.0                             <= 60 yes

Loop  tine           lua  goal
For   10.0  5.00 (0.50x)  <= 15 yes, <= lua NO

Scale           tine  goal
ChainRun/n:10   1.00
ChainRun/n:100  2.00

Text   tine  torchscript  goal
Parse     -        3,200  <= 1,000, <= 500

two workers          faster than one  goal
Fork/Tree/n:20 tine            2.00x  >= 1.8 yes

ten times the size         time  goal
Scale/ChainRun 10 to 100  20.0x  <= 15x NO

2 cores, A CPU; GNU 12; Lua 5.4.
Medians, in nanoseconds (Memory: bytes) for one item; (2.0x): twice what Tine takes.
Absent: TorchScript, oneTBB."""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Runs the benchmarks and prints one table.")
    parser.add_argument("directory", type=pathlib.Path, nargs="?")
    parser.add_argument("--filter", default=".")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--min-time", type=float, default=0.05, help="seconds for each repetition")
    parser.add_argument("--read", action="store_true", help="the results of the last run")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        print(text(SAMPLE))
        sys.exit(text(SAMPLE) != EXPECTED)
    if not options.directory:
        parser.error("which directory?")
    file = options.directory / "results.json"
    if options.read:
        if not file.exists():
            sys.exit("no results.json: run without --read first")
        results = json.loads(file.read_text())
    else:
        results = run(options.directory, options)
        file.write_text(json.dumps(results, indent=1) + "\n")
    print(markdown(results) if options.markdown else text(results))
