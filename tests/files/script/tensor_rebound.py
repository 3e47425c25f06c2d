# x = x + 1 makes a new tensor; the argument stays.
# run: main(tensor([1.0]))
def main(x: Tensor):
    y = x
    x = x + 1
    return x, y
