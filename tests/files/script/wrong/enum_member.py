# ERROR: 6:12-21: Color has no member 'BLUE'
import enum
class Color(enum.Enum):
    RED = 1
def main(n: int):
    return Color.BLUE == Color.RED
