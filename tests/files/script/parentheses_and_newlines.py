# Inside brackets a newline means nothing.
# run: main(1, 2)
def main(a: int,
         b: int):
    x = (a +
         b)
    y = [a,
         b,  # the second
         3,
         ]
    return (x,
            y)
