# run: main(tensor([[1.0, 2.0]]), tensor([[3.0, 4.0]]))
def main(x: Tensor, y: Tensor):
    return torch.cat([x, y]), torch.cat([x, y], dim=1), torch.cat((x, y), 0), torch.stack([x, y]), torch.stack([x, y], 1)
