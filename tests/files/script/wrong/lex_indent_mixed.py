# ERROR: 5:1-3: this line is indented like none of the blocks around it
def main(a: int):
    if a > 0:
        a = 1
   a = 2
    return a
