# run: main(zeros(2, 3))
def main(x: Tensor):
    x[0] = 1.0
    x[1, 2] = 5
    x[:, 1] = torch.tensor([7.0, 8.0])
    x[1:, :1] += 2
    return x
