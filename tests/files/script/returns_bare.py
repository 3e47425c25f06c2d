# run: main([1])
def main(xs: List[int]):
    xs.append(1)
    return
