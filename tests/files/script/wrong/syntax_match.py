# ERROR: 3:11: expected the end of the statement, found 'a'
def main(a: int):
    match a:
        case 1:
            return 2
    return a
