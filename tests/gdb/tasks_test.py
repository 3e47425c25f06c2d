"""Runs the subject under gdb until its tasks wait, and compares what `tine tasks` says of them.

    tasks_test.py GDB SCRIPT SUBJECT
"""

import re
import subprocess
import sys

WANTED = """\
scheduler 1, 2 workers
  parked     inner at inner.py:7:9 waits for a promise of C++
  parked     parked at parked.py:3:5 waits for task inner, forked in parked at parked.py:2:5
  suspended  suspended at suspended.py:3:5 waits for a promise of C++
  thread     a thread outside waits for task parked
"""


def entries(text):
    """The scheduler's line, and the tasks in some order, each with its calls."""
    head, _, rest = text.partition("\n")
    return head, sorted(re.split(r"\n(?=  \S)", "\n" + rest.rstrip("\n")))


gdb, script, subject = sys.argv[1:]
command = [gdb, "-q", "-nx", "-batch", "-ex", "set breakpoint pending on", "-ex", "break tasksWait",
           "-ex", "run", "-ex", f"source {script}", "-ex", "echo <<<\\n", "-ex", "tine tasks",
           "-ex", "echo >>>\\n", "-ex", "continue", subject]
ran = subprocess.run(command, capture_output=True, text=True, timeout=300)
found = re.search(r"<<<\n(.*)>>>\n", ran.stdout, re.S)
said = found.group(1) if found else ""
if entries(said) != entries(WANTED):
    sys.exit(f"wanted:\n{WANTED}\nsaid:\n{said}\n{ran.stdout}\n{ran.stderr}")
if "exited normally" not in ran.stdout:
    sys.exit(f"the subject did not go on:\n{ran.stdout}\n{ran.stderr}")
