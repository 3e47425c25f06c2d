# run: main(["a", "b", "a"])
def main(words: List[str]):
    counts: Dict[str, int] = {}
    for w in words:
        if w in counts:
            counts[w] += 1
        else:
            counts[w] = 1
    return counts
