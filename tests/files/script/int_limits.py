# The smallest and the largest int; overflow wraps around.
# run: main()
def main():
    big = 9223372036854775807
    small = -9223372036854775807 - 1
    return big, small, big + 1 == small, -small
