# run: main(tensor([True, False]), tensor([True, True]))
# run: main(tensor([6, 3]), tensor([3, 1]))
def main(x: Tensor, y: Tensor):
    return x & y, x | y, x ^ y, ~x
