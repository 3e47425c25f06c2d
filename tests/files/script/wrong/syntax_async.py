# ERROR: 2:1-5: expected 'def' or 'class', found 'async'
async def main(a: int):
    return a
