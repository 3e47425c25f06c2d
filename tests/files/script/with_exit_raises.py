# What `__exit__` raises while another error passes is what is raised.
# run: main(0)
# run: main(1)
# oracle: python
from typing import Any
class Guard:
    def __init__(self, fails: bool):
        self.fails = fails
        self.left = 0
    def __enter__(self):
        return self
    def __exit__(self, a: Any, b: Any, c: Any) -> None:
        self.left += 1
        if self.fails:
            raise KeyError("exit")
def main(n: int):
    guard = Guard(n == 0)
    caught = ""
    try:
        with guard as g:
            raise ValueError("body")
    except KeyError:
        caught = "exit"
    except ValueError:
        caught = "body"
    return caught, guard.left
