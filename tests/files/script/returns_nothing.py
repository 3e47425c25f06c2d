# run: main([1])
def main(xs: List[int]) -> None:
    xs.append(2)
