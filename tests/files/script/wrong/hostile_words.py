# ERROR: 2:1-5: expected a function, class, constant or import, found 'lorem'
lorem ipsum dolor sit amet
