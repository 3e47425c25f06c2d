# run: main(["1", "x", "3"])
def main(words: list[str]):
    total = 0
    bad = 0
    for w in words:
        try:
            total += int(w)
        except ValueError:
            bad += 1
            continue
        total *= 10
    return total, bad
