# run: main(3)
def main(n: int) -> str:
    try:
        raise ValueError("n is " + str(n))
    except ValueError as e:
        return "caught " + str(e)
