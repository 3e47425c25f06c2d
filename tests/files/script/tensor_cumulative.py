# run: main(tensor([[1.0, 2.0], [3.0, 4.0]]))
def main(x: Tensor):
    out: List[Tensor] = []
    for i in range(x.size(0)):
        for j in range(x.size(1)):
            out.append(x[i, j] * (i + 1))
    return torch.stack(out).view(2, 2)
