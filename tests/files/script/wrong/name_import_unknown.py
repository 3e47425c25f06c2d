# ERROR: 2:8-11: there is no module 'nump'; torch, typing, math and enum can be imported
import nump
def main(n: int):
    return n
