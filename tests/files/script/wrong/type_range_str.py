# ERROR: 4:20: argument 'stop' of range must be int, not str
def main(s: str):
    n = 0
    for i in range(s):
        n += 1
    return n
