# ERROR: 2:23-25: unknown type 'Lst', did you mean 'List'?
def main(x: Dict[str, Lst[int]]):
    return x
