# run: main("the cat and the dog and the end")
def main(text: str):
    counts: Dict[str, int] = {}
    for word in text.split(" "):
        counts[word] = counts.get(word, 0) + 1
    return counts
