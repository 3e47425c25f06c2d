# ERROR: 3:10: int has no __enter__ and __exit__
def main(n: int):
    with n:
        n += 1
    return n
