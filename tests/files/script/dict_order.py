# Keys stay in the order in which they came.
# run: main()
def main():
    d = {"z": 1, "a": 2}
    d["m"] = 3
    d["z"] = 4
    return list(d.keys()), list(d.items())
