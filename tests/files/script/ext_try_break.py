# run: main([3, 0, 2])
# run: main([3, 4])
# run: main([])
def main(xs: list[int]):
    log: list[str] = []
    n = 0
    for x in xs:
        try:
            n += 1
            if x == 0:
                log.append("break")
                break
            if x == 4:
                continue
            log.append("body")
        finally:
            log.append("finally " + str(n))
        log.append("after")
    return n, log
