# run: main(30)
def main(n: int):
    found: List[int] = []
    for i in range(2, n):
        prime = True
        for p in found:
            if p * p > i:
                break
            if i % p == 0:
                prime = False
                break
        if prime:
            found.append(i)
    return found
