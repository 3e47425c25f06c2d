# ERROR: 2:1-5: expected 'def' or 'class', found 'lorem'
lorem ipsum dolor sit amet
