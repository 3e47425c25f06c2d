# ERROR: 3:14-16: an escape with too few hexadecimal digits
def main():
    return "a\x4"
