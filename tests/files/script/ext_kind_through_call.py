# An error of a called function has its kind.
# run: main("12")
# run: main("x")
def parse(s: str) -> int:
    return int(s)


def main(s: str) -> int:
    try:
        return parse(s)
    except ValueError:
        return -1
