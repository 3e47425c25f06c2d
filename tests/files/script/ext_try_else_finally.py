# run: main(1)
# run: main(0)
def main(n: int):
    log: list[str] = []
    try:
        log.append("try")
        x = 10 // n
        log.append("divided")
    except ZeroDivisionError:
        log.append("except")
        x = -1
    else:
        log.append("else")
    finally:
        log.append("finally")
    return x, log
