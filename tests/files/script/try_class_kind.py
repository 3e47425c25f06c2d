# ... and is caught by it.
# run: main(0)
# run: main(1)
# run: main(2)
# oracle: python
def main(n: int) -> str:
    try:
        if n == 0:
            raise ZeroDivisionError
        if n == 1:
            raise KeyError
    except RuntimeError:
        return "runtime"
    except ArithmeticError:
        return "arithmetic"
    except LookupError:
        return "lookup"
    return "none"
