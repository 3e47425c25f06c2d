# run: main(tensor([[1.0, 2.0, 4.0], [3.0, 9.0, 5.0]]))
def main(x: Tensor):
    deviation, mean = torch.std_mean(x)
    variance, means = torch.var_mean(x, [1], unbiased=False, keepdim=True)
    return deviation, mean, variance, means, torch.std_mean(x, 0), torch.outer(x[0], x[1]), x.ndim, x.requires_grad
# DIFFERS: in TorchScript ndim is a function, which the place names
