# ERROR: 3:13-18: an escape that is not a Unicode character
def main():
    return "\ud800"
