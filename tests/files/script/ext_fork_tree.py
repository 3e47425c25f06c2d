# run: main(8)
import torch


def tree(depth: int) -> int:
    if depth == 0:
        return 1
    left = torch.jit.fork(tree, depth - 1)
    right = torch.jit.fork(tree, depth - 1)
    return torch.jit.wait(left) + torch.jit.wait(right)


def main(depth: int) -> int:
    return tree(depth)
