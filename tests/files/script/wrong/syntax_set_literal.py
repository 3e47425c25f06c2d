# ERROR: 3:12-17: sets are not part of TorchScript
def main(a: int):
    return {a, 2}
