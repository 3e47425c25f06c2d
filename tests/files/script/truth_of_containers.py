# run: main([], "a")
# run: main([1], "")
def main(xs: List[int], s: str):
    r = 0
    if len(xs):
        r += 1
    if len(s) > 0:
        r += 2
    return r
