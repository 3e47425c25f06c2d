# A try that is left in a loop: what its `finally` assigns is what the loop goes on with.
# run: main(0)
# run: main(1)
# run: main(3)
# run: main(9)
# oracle: python
def broken(n: int) -> int:
    r = 0
    for i in range(3):
        try:
            if i == n:
                break
        finally:
            r += 1
            print("fin", i)
    return r
def continued(n: int) -> int:
    r = 0
    for i in range(3):
        try:
            if i == n:
                continue
            r += 10
        finally:
            r += 1
    return r
def conditional(n: int) -> int:
    r = 0
    while r < n:
        try:
            if r % 2 == 0:
                continue
            r += 10
        finally:
            r += 1
    return r
def nested(n: int) -> int:
    r = 0
    while True:
        try:
            try:
                if r > n:
                    break
                raise ValueError("x")
            except ValueError:
                if r == 2:
                    continue
                r += 5
            finally:
                r += 1
        finally:
            r *= 2
            print(r)
    else:
        r += 1000
    return r
def returned(n: int) -> int:
    b = 1
    for i3 in range(3):
        n += i3
    else:
        for i15 in range(1):
            try:
                return 7
            except ValueError:
                pass
            else:
                raise TypeError("x")
            finally:
                b += n + b
                print(b)
    return b
def left(n: int) -> int:
    t = 0
    for i in range(5):
        try:
            if i == n:
                return t * 100
            t += i
        finally:
            t += 1
            print(t)
    return t
def main(n: int):
    return broken(n), continued(n), conditional(n), nested(n), returned(n), left(n)
