# run: main(True)
# run: main(False)
def main(flag: bool):
    if flag:
        return 1
    else:
        return 2
