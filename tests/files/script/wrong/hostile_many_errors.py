# ERROR: 12:12-13: undefined name 'm0'
# ERROR: 14:12-13: undefined name 'm1'
# ERROR: 16:12-13: undefined name 'm2'
# ERROR: 18:12-13: undefined name 'm3'
# ERROR: 20:12-13: undefined name 'm4'
# ERROR: 22:12-13: undefined name 'm5'
# ERROR: 24:12-13: undefined name 'm6'
# ERROR: 26:12-13: undefined name 'm7'
# ERROR: 28:12-13: undefined name 'm8'
# ERROR: 30:12-13: undefined name 'm9'
def f0(n: int):
    return m0
def f1(n: int):
    return m1
def f2(n: int):
    return m2
def f3(n: int):
    return m3
def f4(n: int):
    return m4
def f5(n: int):
    return m5
def f6(n: int):
    return m6
def f7(n: int):
    return m7
def f8(n: int):
    return m8
def f9(n: int):
    return m9
