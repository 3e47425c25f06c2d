def first(l):
    return l[9]


def main(l):
    f = torch.jit.fork(first, l)
    return torch.jit.wait(f)
