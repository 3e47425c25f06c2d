# ERROR: 3:5-12: 'nonlocal' is not part of TorchScript
def main(a: int):
    nonlocal x
    return a
