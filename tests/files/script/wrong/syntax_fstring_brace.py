# ERROR: 3:16: a '{' without its '}'; write '{{'
def main(a: int):
    return f"a {"
