# ERROR: 2:18-22: '*args' is not part of TorchScript: parameters are fixed
def main(a: int, *args):
    return a
