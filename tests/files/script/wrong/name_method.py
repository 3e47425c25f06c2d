# ERROR: 3:12-17: 'Tensor' has no attribute 'summ', did you mean 'sum'?
def main(x: Tensor):
    return x.summ()
