# ERROR: 3:13-14: an escape that is not a Unicode character
def main():
    return "\ud800"
