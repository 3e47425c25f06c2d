# run: main("  Hello, World ")
# run: main("")
def main(s: str):
    return s.upper(), s.lower(), s.strip(), s.lstrip(), s.rstrip(), s.swapcase(), s.capitalize(), s.title()
