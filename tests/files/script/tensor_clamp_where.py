# run: main(tensor([-2.0, 0.5, 3.0]))
def main(x: Tensor):
    return torch.clamp(x, 0, 1), x.clamp(min=0.0), torch.where(x > 0, x, x * 0)
