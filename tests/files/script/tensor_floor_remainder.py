# run: main(tensor([7.0, -7.0]), tensor([2.0, 2.0]))
# run: main(tensor([7, -7]), tensor([2, 3]))
def main(x: Tensor, y: Tensor):
    return x % y, x % 3
