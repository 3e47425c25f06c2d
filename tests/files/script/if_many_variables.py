# run: main(True)
# run: main(False)
def main(flag: bool):
    a = 1
    b = 2.0
    c = "c"
    if flag:
        b, c = 3.0, "d"
        a = a + 1
    else:
        c = "e"
    return a, b, c
