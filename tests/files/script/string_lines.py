# run: main("a\nb\r\nc")
def main(s: str):
    return s.splitlines(), s.expandtabs(4)
