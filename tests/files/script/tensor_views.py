# run: main(arange(6))
def main(x: Tensor):
    return x.view(2, 3), x.view([3, 2]), x.reshape(-1, 2), x.view(2, 3).t(), x.view(1, 6).squeeze(0), x.unsqueeze(1)
