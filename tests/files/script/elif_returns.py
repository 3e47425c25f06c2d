# A long row of elif that return.
# run: main(0)
# run: main(39)
# run: main(1000)
def main(n: int) -> int:
    if n == 0:
        return 7
    elif n == 1:
        return 3
    elif n == 2:
        return 6
    elif n == 3:
        return 9
    elif n == 4:
        return 12
    elif n == 5:
        return 15
    elif n == 6:
        return 18
    elif n == 7:
        return 21
    elif n == 8:
        return 24
    elif n == 9:
        return 27
    elif n == 10:
        return 30
    elif n == 11:
        return 33
    elif n == 12:
        return 36
    elif n == 13:
        return 39
    elif n == 14:
        return 42
    elif n == 15:
        return 45
    elif n == 16:
        return 48
    elif n == 17:
        return 51
    elif n == 18:
        return 54
    elif n == 19:
        return 57
    elif n == 20:
        return 60
    elif n == 21:
        return 63
    elif n == 22:
        return 66
    elif n == 23:
        return 69
    elif n == 24:
        return 72
    elif n == 25:
        return 75
    elif n == 26:
        return 78
    elif n == 27:
        return 81
    elif n == 28:
        return 84
    elif n == 29:
        return 87
    elif n == 30:
        return 90
    elif n == 31:
        return 93
    elif n == 32:
        return 96
    elif n == 33:
        return 99
    elif n == 34:
        return 102
    elif n == 35:
        return 105
    elif n == 36:
        return 108
    elif n == 37:
        return 111
    elif n == 38:
        return 114
    elif n == 39:
        return 117
    elif n == 40:
        return 120
    elif n == 41:
        return 123
    elif n == 42:
        return 126
    elif n == 43:
        return 129
    elif n == 44:
        return 132
    elif n == 45:
        return 135
    elif n == 46:
        return 138
    elif n == 47:
        return 141
    elif n == 48:
        return 144
    elif n == 49:
        return 147
    return -1
