# ERROR: 5:1-12: this line is indented like none of the blocks around it
def main(n: int):
	if n > 0:
		n = 1
            n = 2
	return n
