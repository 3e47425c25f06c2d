# finally runs, and the error goes on.
# run: main(1)
# run: main(0)
def task(xs: list[int], n: int) -> int:
    try:
        return 10 // n
    finally:
        xs.append(n)


def main(n: int):
    xs: list[int] = []
    try:
        r = task(xs, n)
    except ZeroDivisionError:
        r = -1
    return r, xs
