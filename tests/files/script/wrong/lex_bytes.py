# ERROR: 3:12-17: byte strings are not part of TorchScript
def main():
    return b"abc"
