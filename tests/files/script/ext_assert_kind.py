# run: main(0)
def main(n: int) -> str:
    try:
        assert n > 0, "small"
    except AssertionError as e:
        return "caught " + str(e)
    return "none"
