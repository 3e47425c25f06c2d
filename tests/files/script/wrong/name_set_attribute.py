# ERROR: 3:5-11: 'Tensor' has no attribute 'extra'
def main(x: Tensor):
    x.extra = 1
    return x
