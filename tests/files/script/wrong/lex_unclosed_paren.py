# ERROR: 3:12: '(' is never closed
def main(a: int):
    return (a + 1
