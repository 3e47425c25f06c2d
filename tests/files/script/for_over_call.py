# run: main(4)
def numbers(n: int) -> List[int]:
    xs: List[int] = []
    for i in range(n):
        xs.append(i * i)
    return xs
def main(n: int):
    total = 0
    for x in numbers(n):
        total += x
    return total
