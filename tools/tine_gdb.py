"""For gdb: `tine tasks` lists the tasks of a process, or of its core file, that wait.

    gdb -p PID -ex 'source tools/tine_gdb.py' -ex 'tine tasks'

Of each scheduler: its tasks that are parked (their frames were left), those that are suspended (an
operator in C++ waits on a fiber) and threads outside that wait, each with its function, its place in
the source and what it waits for. It only reads memory, so it may be used at any moment, also when
every lock is held; a list that is being changed just then may be cut short. The types come from
interpreter/dump.cpp, which is compiled with them in every build: it works unless that was stripped.
"""

import gdb


def vector(value):
    """The first element's pointer, and how many there are, of a std::vector."""
    first, end = value["_M_impl"]["_M_start"], value["_M_impl"]["_M_finish"]
    return first, int(end - first)


def string(value):
    length = int(value["_M_string_length"])
    return value["_M_dataplus"]["_M_p"].string("utf-8", "replace", length)


def symbol(value):
    """What an interned Symbol is; it has its text behind it."""
    entry = value["entry_"]
    if not entry:
        return ""
    text = entry.cast(gdb.lookup_type("char").pointer()) + entry.dereference().type.sizeof
    return text.string("utf-8", "replace", int(entry["keyLength"]))


def atomic(value):
    """The number in an atomic, in however many classes it lies."""
    while value.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT:
        members = value.type.strip_typedefs().fields()
        value = value[next(member for member in members if hasattr(member, "bitpos"))]
    return int(value)


def linked(first, following):
    while first:
        yield first
        first = first[following]


def place(function, pc):
    """`main at p.py:3:1`, of the instruction with that number."""
    rows, end = vector(function["rows"])
    begin = 0
    while begin < end:  # the first row behind it
        middle = (begin + end) // 2
        if pc < int(rows[middle]["pc"]):
            end = middle
        else:
            begin = middle + 1
    text = string(function["name"])
    if begin == 0:
        return text
    location = rows[begin - 1]["location"]
    file = symbol(location["file"])
    if not file:
        return text
    return f"{text} at {file}:{int(location['line'])}:{int(location['column']) + 1}"


def place_of_frame(frame, before):
    function = frame["function"]
    instructions, _ = vector(function["instrs"])
    return place(function, int(frame["pc"] - instructions) - before)


def site_of(task):
    site = gdb.lookup_type("tine::Site").pointer()
    return task["payload"][0].cast(site)


def described(future):
    """What a future is."""
    kind = future["kind_"]
    if not kind:
        return "a promise of C++"
    name = kind["name"].string()
    if name != "task":
        return "a " + name + " of the program"
    if not future["payload"][0]:
        return "a future that is made of others"
    site = site_of(future)
    text = "task " + string(site["target"]["name"])
    if site["home"]:
        text += ", forked in " + place(site["home"], int(site["pc"]))
    return text


def tell(how, frame, awaited, operates):
    """A line for each task of a chain; below the first are those on top of which it runs."""
    if not frame:
        print(f"  thread     a thread outside waits for {described(awaited)}")
        return
    before = 1 if operates else 0
    while frame:
        print(f"  {how:10} {place_of_frame(frame, before)} waits for {described(awaited)}")
        while not frame["first"]:
            frame = frame["caller"]
            print(f"{'':15}called in {place_of_frame(frame, 1)}")
        awaited, frame, before = frame["task"], frame["caller"], 0


class Tasks(gdb.Command):
    """Lists the tasks that wait, by their schedulers."""

    def __init__(self):
        super().__init__("tine tasks", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        listed = gdb.lookup_global_symbol("tine::listedSchedulers")
        if listed is None:
            raise gdb.GdbError("the process has no Tine in it, or its symbols are gone")
        core, number = listed.value()["first"], 0
        if not core:
            print("no scheduler")
        while core:
            number += 1
            workers = core["listedWorkers_"]
            count = int(workers["Length"])
            print(f"scheduler {number}, {count} worker{'' if count == 1 else 's'}")
            for i in range(count):
                worker = workers["Data"][i]
                for wait in linked(worker["waits"], "following"):
                    if atomic(wait["state"]) == 0:  # Waiting
                        who = int(wait["who"])
                        tell("parked" if who == 0 else "suspended", wait["frame"], wait["future"],
                             who != 0)
                for wait in linked(worker["standing"], "following"):
                    tell("suspended", wait["frame"], wait["future"], True)
            core = core["nextListed_"]


gdb.Command("tine", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE, True)
Tasks()
