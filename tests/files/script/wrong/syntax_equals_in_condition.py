# ERROR: 3:10: expected ':', found '='; is '==' meant?
def main(a: int):
    if a = 1:
        return 1
    return 0
