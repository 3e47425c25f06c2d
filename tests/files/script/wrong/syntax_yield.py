# ERROR: 3:5-9: 'yield' is not part of TorchScript
def main(a: int):
    yield a
