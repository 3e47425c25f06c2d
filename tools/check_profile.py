#!/usr/bin/env python3
"""Checks profiles that `tine run --profile` wrote: slices nest, arrows have both ends, counts hold.

check_profile.py FILE.json...            each is checked; what is in it is printed
check_profile.py --run TINE FILE.ir      runs the file's programs with 0, 1, 2 and 8 workers first:
                                         a line `# RUN: FUNCTION ARG...` for each
check_profile.py --self-test             broken profiles are found out
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def check(profile):
    """The counts of what is there. Raises ValueError."""

    def fail(event, why):
        raise ValueError(f"{why}: {event}")

    events = profile["traceEvents"]
    lanes = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M"}
    stacks = collections.defaultdict(list)
    slices = collections.defaultdict(list)  # of a lane: (begin, end)
    last = collections.defaultdict(float)
    counts = collections.Counter(lanes=len(lanes))
    for e in events:
        if e["ph"] != "M" and e["tid"] not in lanes:
            fail(e, "a lane without a name")
        if e["ph"] not in "BE":
            continue
        if e["ts"] < last[e["tid"]]:
            fail(e, "time runs backwards")
        last[e["tid"]] = e["ts"]
        if e["ph"] == "B":
            stacks[e["tid"]].append(e)
            counts[e["cat"]] += 1
            if not e["name"]:
                fail(e, "a slice without a name")
        elif not stacks[e["tid"]]:
            fail(e, "an end without a beginning")
        else:
            slices[e["tid"]].append((stacks[e["tid"]].pop()["ts"], e["ts"]))
    for stack in stacks.values():
        if stack:
            fail(stack[-1], "a slice without an end")

    tails, heads = {}, {}
    for e in events:
        if e["ph"] in "sf":
            ends = tails if e["ph"] == "s" else heads
            if e["id"] in ends:
                fail(e, "two arrows have one number")
            ends[e["id"]] = e
            if not any(b <= e["ts"] <= t for b, t in slices[e["tid"]]):
                fail(e, "an arrow that no slice holds")
    if tails.keys() != heads.keys():
        fail(sorted(tails.keys() ^ heads.keys())[:3], "arrows with one end")
    for number, tail in tails.items():
        head = heads[number]
        if tail["ts"] > head["ts"] or tail["name"] != head["name"]:
            fail(head, "an arrow into the past")
        counts["arrows of " + tail["name"]] += 1
    for e in events:
        if e["ph"] == "C":
            counts["counters"] += 1
            if e["args"]["count"] < 0:
                fail(e, "a count below 0")
    return counts


def run(tine, path):
    text = pathlib.Path(path).read_text()
    runs = re.findall(r"^# RUN: (\S+)((?: \S+)*)$", text, re.M)
    if not runs:
        sys.exit(f"{path}: no `# RUN: FUNCTION ARG...`")
    for function, arguments in runs:
        for workers in (0, 1, 2, 8):
            with tempfile.NamedTemporaryFile("r", suffix=".json") as out:
                command = [tine, "run", path, "--function=" + function, "--workers", str(workers),
                           "--profile=" + out.name, *arguments.split()]
                done = subprocess.run(command, capture_output=True, text=True)
                profile = json.load(out)
            what = f"{function}, {workers} workers"
            try:
                counts = check(profile)
            except ValueError as error:
                sys.exit(f"{what}: {error}")
            for word in ("PROFILE", "ALONE")[: 2 if workers < 2 else 1]:
                wanted = re.search(rf"^# {word} {function}: (.*)$", text, re.M)
                for key, least in re.findall(r"([a-z ]+)>=(\d+)", wanted.group(1) if wanted else ""):
                    if counts[key.strip()] < int(least):
                        sys.exit(f"{what}: {key.strip()} is {counts[key.strip()]}, not {least}: "
                                 + done.stderr)
            print(what + ":", dict(counts))


def self_test():
    def event(phase, ts, tid=0, **more):
        return {"ph": phase, "ts": ts, "tid": tid, "pid": 1, **more}

    lane = event("M", 0, name="thread_name", args={"name": "worker"})
    b, e = event("B", 1, name="f", cat="task"), event("E", 5)
    s, f = event("s", 2, name="fork", id=1), event("f", 3, name="fork", id=1)
    check({"traceEvents": [lane, b, e, s, f]})
    for broken in ([b, e], [lane, b], [lane, e], [lane, b, event("E", 0)], [lane, b, e, s],
                   [lane, b, e, f], [lane, b, e, s, event("f", 1.5, name="fork", id=1)],
                   [lane, b, e, event("s", 6, name="fork", id=1), event("f", 7, name="fork", id=1)],
                   [lane, event("C", 1, name="parked", args={"count": -1})]):
        try:
            check({"traceEvents": broken})
        except ValueError:
            continue
        sys.exit(f"not found out: {broken}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) == 4 and sys.argv[1] == "--run":
        return run(*sys.argv[2:])
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for path in sys.argv[1:]:
        try:
            print(path + ":", dict(check(json.loads(pathlib.Path(path).read_text()))))
        except ValueError as error:
            sys.exit(f"{path}: {error}")


main()
