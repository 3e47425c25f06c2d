# ERROR: 2:1-5: expected a function, class, constant or import, found 'async'
async def main(a: int):
    return a
