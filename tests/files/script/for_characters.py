# run: main("hello")
# run: main("")
def main(s: str):
    r = ""
    for c in s:
        r = c + r
    return r
