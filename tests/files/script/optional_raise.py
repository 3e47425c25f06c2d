# run: main(None)
# run: main("a")
def main(s: Optional[str]) -> str:
    if s is None:
        raise RuntimeError("nothing given")
    return s + "!"
