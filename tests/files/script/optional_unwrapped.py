# run: main(3)
# run: main(None) raises RuntimeError: Unwrapping null optional
def main(i: Optional[int]):
    return torch.jit._unwrap_optional(i) + 1
