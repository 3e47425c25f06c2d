# run: main(3)
# run: main("abc")
def main(x: Union[int, str]):
    if isinstance(x, int):
        y = x * 2
    else:
        y = len(x)
    return y
