# run: main(arange(6))
def main(x: Tensor):
    a, b = torch.chunk(x, 2)
    parts = torch.split(x, 4)
    return a, b, parts[0], parts[1], len(parts)
