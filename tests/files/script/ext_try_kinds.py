# run: main(0)
# run: main(1)
# run: main(2)
def fails(n: int) -> int:
    if n == 0:
        raise ValueError("v")
    if n == 1:
        raise KeyError("k")
    raise RuntimeError("r")


def main(n: int) -> str:
    try:
        fails(n)
    except ValueError:
        return "value"
    except KeyError:
        return "key"
    return "none"
