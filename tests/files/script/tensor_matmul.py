# run: main(tensor([[1.0, 2.0], [3.0, 4.0]]), tensor([[5.0, 6.0], [7.0, 8.0]]))
# run: main(tensor([[1.0, 2.0]]), tensor([[1.0, 2.0]])) raises ShapeMismatch: mat1 and mat2 shapes cannot be multiplied (1x2 and 1x2)
def main(x: Tensor, y: Tensor):
    return x @ y, torch.mm(x, y), torch.matmul(x, y), x.matmul(y)
