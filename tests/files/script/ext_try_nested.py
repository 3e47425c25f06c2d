# run: main(0)
# run: main(1)
# run: main(2)
def main(n: int):
    s = ""
    try:
        try:
            if n == 0:
                raise ValueError("a")
            if n == 1:
                raise KeyError("b")
            s += "fine "
        except KeyError:
            s += "inner "
            raise RuntimeError("c")
        finally:
            s += "cleanup "
    except (ValueError, RuntimeError):
        s += "outer"
    return s
