def for_add(n: int) -> int:
    sum = 0
    for i in range(n):
        sum = sum + i
    return sum


def while_less(n: int) -> int:
    sum = 0
    i = 0
    while i < n:
        sum = sum + i
        i = i + 1
    return sum


def if_even(n: int) -> int:
    sum = 0
    for i in range(n):
        if i % 2 == 0:
            sum = sum + i
        else:
            sum = sum - 1
    return sum


def list_append(n: int) -> int:
    items: List[int] = []
    sum = 0
    for i in range(n):
        items.append(i)
        sum = sum + items[i]
    return sum


def polynomial(n: int) -> float:
    x = 0.0
    sum = 0.0
    for i in range(n):
        sum = sum + (((2.0 * x - 3.0) * x + 4.0) * x - 5.0)
        x = x + 0.125
    return sum


def plus(x: int, y: int) -> int:
    return x + y


def call(n: int) -> int:
    sum = 0
    for i in range(n):
        sum = plus(sum, i)
    return sum
