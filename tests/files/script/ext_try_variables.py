# Handlers see what the body assigned before it failed.
# run: main([1, 2, 0, 4])
# run: main([1, 2])
def main(xs: list[int]):
    seen = 0
    last = "none"
    try:
        for x in xs:
            last = "x" + str(x)
            seen += 100 // x
    except ZeroDivisionError:
        return "failed at " + last, seen
    return last, seen
