# run: main(tensor([[1.0, 7.0], [3.0, 5.0]]))
def main(x: Tensor):
    return x.argmax(), torch.argmax(x, dim=0), x.argmax(dim=1)
