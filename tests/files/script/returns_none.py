# run: main(1)
def main(n: int):
    return None
