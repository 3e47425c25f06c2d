# run: main("A")
def main(s: str):
    return ord(s), chr(98), hex(255), oct(8), bin(5)
