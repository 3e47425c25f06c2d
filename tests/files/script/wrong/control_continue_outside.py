# ERROR: 3:5-12: 'continue' outside a loop
def main(n: int):
    continue
    return n
