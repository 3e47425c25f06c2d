# ERROR: 3:16: this byte is not UTF-8, as source is
def main(n: int):
    return n + ÿ
