# run: main(0)
# run: main(1)
# run: main(2)
class Broken(ValueError):
    pass


class VeryBroken(Broken):
    """More than that."""


def fails(n: int) -> int:
    if n == 0:
        raise Broken("a little")
    if n == 1:
        raise VeryBroken("a lot")
    return n


def main(n: int) -> str:
    try:
        fails(n)
    except VeryBroken as e:
        return "very: " + str(e)
    except ValueError as e:
        return "value: " + str(e)
    return "fine"
