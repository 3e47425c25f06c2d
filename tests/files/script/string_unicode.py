# Strings are bytes in TorchScript: the length is that of the UTF-8.
# run: main("a")
def main(s: str):
    t = "é中"
    return s + t, t == "é中"
