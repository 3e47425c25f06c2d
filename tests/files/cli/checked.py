# CHECK: prim::fork
# CHECK-NEXT: aten::add
# CHECK: aten::wait
# CHECK-NOT: aten::mul
import torch


def task(x: int) -> int:
    return x + x


def main(n: int) -> int:
    future = torch.jit.fork(task, n)
    more = n + 1
    return torch.jit.wait(future) + more
