# break ends the innermost loop only.
# run: main(4)
def main(n: int):
    total = 0
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            total += 1
        if total > 6:
            break
        total += 10
    return total
