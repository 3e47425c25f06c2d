# run: main()
def main():
    return 0x1F, 0b101, 0o17, 1_000_000, 1_0.5
