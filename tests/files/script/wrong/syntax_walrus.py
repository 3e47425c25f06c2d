# ERROR: 3:11-12: ':=' is not part of TorchScript
def main(n: int) -> int:
    if (m := n * 2) > 5:
        return m
    return 0
