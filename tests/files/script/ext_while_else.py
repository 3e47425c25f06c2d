# run: main(3)
# run: main(10)
def main(n: int) -> str:
    i = 0
    while i < n:
        if i == 5:
            break
        i += 1
    else:
        return "all " + str(i)
    return "stopped"
