# A tensor of one element is a condition.
# run: main(tensor([1.0]))
# run: main(tensor([-1.0]))
# run: main(tensor([1.0, 2.0]))
def main(x: Tensor):
    if x > 0:
        x = x + 10
    return x
