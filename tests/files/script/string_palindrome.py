# run: main("level")
# run: main("levels")
def main(s: str):
    n = len(s)
    for i in range(n // 2):
        if s[i] != s[n - 1 - i]:
            return False
    return True
