# A parameter without a type is a Tensor.
# run: main(tensor([1.0, 2.0]), tensor([10.0, 20.0]))
def main(x, y):
    return x * y + x
