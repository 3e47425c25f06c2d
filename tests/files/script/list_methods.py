# run: main([3, 1, 2])
# run: main([7])
def main(xs: List[int]):
    xs.append(5)
    xs.extend([8, 9])
    xs.insert(0, 4)
    a = xs.pop()
    b = xs.pop(0)
    xs.reverse()
    return xs, a, b
