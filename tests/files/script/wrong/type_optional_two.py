# ERROR: 2:13-30: Optional takes 1 type, not 2
def main(x: Optional[int, str]):
    return x
