# run: main("aaabcc")
# run: main("")
def main(s: str):
    out: List[Tuple[str, int]] = []
    i = 0
    while i < len(s):
        j = i
        while j < len(s) and s[j] == s[i]:
            j += 1
        out.append((s[i], j - i))
        i = j
    return out
