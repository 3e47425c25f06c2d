# run: main(tensor([1.0, 2.0]), tensor([3.0, 4.0]))
# run: main(tensor([[1.0], [2.0]]), tensor([10.0, 20.0]))
# run: main(tensor([1.0, 2.0]), tensor([1.0, 2.0, 3.0])) raises ShapeMismatch: The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0; the shapes are [2] and [3]
def main(x: Tensor, y: Tensor):
    return x + y, x - y, x * y, x / y, -x
