# What nobody uses may fail all the same.
# run: main("12")
# run: main("x")
def main(s: str) -> bool:
    try:
        int(s)
        return True
    except ValueError:
        return False
