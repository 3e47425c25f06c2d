# run: main(3)
def double(n: int) -> int: return n * 2


def main(n: int) -> int:
    total = 0
    for i in range(n): total += i
    while total < 10: total = double(total)
    if total > 20: total = 20
    elif total > 15: total = 15
    else: total = 0
    return total
