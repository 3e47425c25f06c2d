# run: main(tensor([[1.0], [2.0]]))
def main(x: Tensor):
    y = x.clone().expand([2, 3])
    y.fill_(3)
    z = x.clone().expand([2, 3])
    z.masked_fill_(z > 1, 0.5)
    return y, z
