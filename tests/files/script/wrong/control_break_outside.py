# ERROR: 4:9-13: 'break' outside a loop
def main(n: int):
    if n > 0:
        break
    return n
