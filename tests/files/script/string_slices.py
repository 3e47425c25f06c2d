# run: main("abcdef")
# run: main("")
def main(s: str):
    return s[1:3], s[:2], s[2:], s[-2:], s[::2], s[:-1], s[4:1]
