# run: main()
def main() -> Tuple[()]:
    return ()
