# run: main(tensor([1.0, 4.0]))
def main(x: Tensor):
    return torch.abs(-x), torch.neg(x), torch.exp(x), torch.log(x), torch.sqrt(x), x.abs(), x.clone()
