# The first wait that fails decides.
# run: main(True)
# run: main(False)
import torch


def fails(s: str) -> int:
    raise RuntimeError(s)
    return 1


def main(swap: bool) -> int:
    a = torch.jit.fork(fails, "a")
    b = torch.jit.fork(fails, "b")
    if swap:
        return b.wait() + a.wait()
    return a.wait() + b.wait()
