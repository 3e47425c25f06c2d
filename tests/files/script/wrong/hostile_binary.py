# ERROR: 2:1: a character that means nothing here
ELF
