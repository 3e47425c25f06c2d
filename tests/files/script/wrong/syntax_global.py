# ERROR: 3:5-10: 'global' is not part of TorchScript
def main(a: int):
    global x
    return a
