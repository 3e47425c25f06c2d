# run: main(1)
def main(n: int):
    if n > 0:
        pass
    else:
        n = 5
    for i in range(3):
        pass
    return n
# DIFFERS: TorchScript leaves a constant behind that nobody uses
