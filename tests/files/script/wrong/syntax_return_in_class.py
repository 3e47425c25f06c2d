# ERROR: 3:5-10: expected a method or a field, found 'return'
class C:
    return 1
def main(a: int):
    return a
