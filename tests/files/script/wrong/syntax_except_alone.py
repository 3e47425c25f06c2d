# ERROR: 3:5-10: expected an expression, found 'except'
def main(a: int):
    except ValueError:
        a = 1
    return a
