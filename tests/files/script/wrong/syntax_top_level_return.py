# ERROR: 4:1-6: expected 'def' or 'class', found 'return'
def main(a: int):
    return a
return 1
