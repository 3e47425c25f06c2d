# ERROR: 3:7-8: ':=' is not part of TorchScript
def main(a: int):
    x := a
    return x
