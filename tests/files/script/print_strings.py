# run: main("a\tb")
def main(s: str):
    print(s, "", "c")
    print("%d%%" % 5, "{}".format(s))
