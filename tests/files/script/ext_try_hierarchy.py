# run: main(0)
# run: main(1)
# run: main(2)
# run: main(3)
def fails(n: int) -> int:
    if n == 0:
        return [1][n + 5]
    if n == 1:
        return 1 // (n - 1)
    if n == 2:
        raise NotImplementedError("later")
    return n


def main(n: int) -> str:
    try:
        return str(fails(n))
    except ArithmeticError:
        return "arithmetic"
    except LookupError as e:
        return "lookup"
    except Exception as e:
        return "other " + str(e)
