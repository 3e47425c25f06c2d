# ERROR: 3:1-6: expected an indented block, found 'return'
def main(a: int):
return a
