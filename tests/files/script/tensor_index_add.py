# run: main(tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
def main(x: Tensor):
    rows = torch.tensor([0, 2, 0])
    added = x.index_add(0, rows, torch.ones_like(x), alpha=2)
    filled = torch.index_fill(x, 1, torch.tensor([-1]), 7)
    scattered = x.masked_scatter(x > 2, torch.tensor([10.0, 20.0, 30.0, 40.0]))
    y = x.clone()
    y.index_add_(1, torch.tensor([1]), torch.ones([3, 1]))
    y.index_fill_(0, torch.tensor([1]), torch.tensor(-1))
    y.masked_scatter_(y < 0, torch.tensor([8.0, 9.0]))
    return added, filled, scattered, y, x
