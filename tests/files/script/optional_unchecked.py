# run: main(4)
def main(n: Optional[int]):
    m = torch.jit._unwrap_optional(n)
    return m + 1
