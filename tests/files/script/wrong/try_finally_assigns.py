# ERROR: 7:17-21: in a loop, a 'try' is not left where its 'finally' assigns to 'r'
def main(n: int) -> int:
    r = 0
    for i in range(3):
        try:
            if i == n:
                break
        finally:
            r += 1
    return r
