# run: main(0)
# run: main(1)
def work(n: int, log: list[int]) -> int:
    try:
        try:
            return 10 // n
        finally:
            log.append(1)
    finally:
        log.append(2)


def main(n: int):
    log: list[int] = []
    r = -5
    try:
        r = work(n, log)
    except Exception:
        log.append(3)
    else:
        log.append(4)
    return r, log
