# Names are of the letters of all scripts.
# run: main(3)
def main(größe: int):
    é = größe + 1
    变量 = é * 2
    return 变量
