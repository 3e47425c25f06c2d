# run: main(tensor([2.5]))
# run: main(tensor([3]))
# run: main(tensor([1.0, 2.0]))
def main(x: Tensor):
    return int(x), float(x), bool(x), x.item()
