# run: main("Ab Cd,e,F", 13)
# run: main("x", 4)
# run: main("", 3)
def main(s: str, width: int):
    return s.center(width), s.center(width, "*"), s.rsplit(","), s.rsplit(",", 1), s.istitle(), (s + "\n" + s + "\r\nz").splitlines(), s.splitlines(True)
