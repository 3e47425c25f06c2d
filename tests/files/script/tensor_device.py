# run: main(tensor([1.0]))
def main(x: Tensor):
    y = x.to(torch.device("cpu"))
    return y, x.device == y.device, x.dtype == torch.float32, x.is_cuda
