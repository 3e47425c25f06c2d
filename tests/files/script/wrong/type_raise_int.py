# ERROR: 3:11: what is raised is an exception, not int
def main(n: int):
    raise n
