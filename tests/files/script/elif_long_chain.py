# Each elif is an If in the other block of the one before.
# run: main(0)
# run: main(149)
# run: main(1000)
def main(n: int) -> int:
    r = 0
    if n == 0:
        r = 7
    elif n == 1:
        r = 3
    elif n == 2:
        r = 6
    elif n == 3:
        r = 9
    elif n == 4:
        r = 12
    elif n == 5:
        r = 15
    elif n == 6:
        r = 18
    elif n == 7:
        r = 21
    elif n == 8:
        r = 24
    elif n == 9:
        r = 27
    elif n == 10:
        r = 30
    elif n == 11:
        r = 33
    elif n == 12:
        r = 36
    elif n == 13:
        r = 39
    elif n == 14:
        r = 42
    elif n == 15:
        r = 45
    elif n == 16:
        r = 48
    elif n == 17:
        r = 51
    elif n == 18:
        r = 54
    elif n == 19:
        r = 57
    elif n == 20:
        r = 60
    elif n == 21:
        r = 63
    elif n == 22:
        r = 66
    elif n == 23:
        r = 69
    elif n == 24:
        r = 72
    elif n == 25:
        r = 75
    elif n == 26:
        r = 78
    elif n == 27:
        r = 81
    elif n == 28:
        r = 84
    elif n == 29:
        r = 87
    elif n == 30:
        r = 90
    elif n == 31:
        r = 93
    elif n == 32:
        r = 96
    elif n == 33:
        r = 99
    elif n == 34:
        r = 102
    elif n == 35:
        r = 105
    elif n == 36:
        r = 108
    elif n == 37:
        r = 111
    elif n == 38:
        r = 114
    elif n == 39:
        r = 117
    elif n == 40:
        r = 120
    elif n == 41:
        r = 123
    elif n == 42:
        r = 126
    elif n == 43:
        r = 129
    elif n == 44:
        r = 132
    elif n == 45:
        r = 135
    elif n == 46:
        r = 138
    elif n == 47:
        r = 141
    elif n == 48:
        r = 144
    elif n == 49:
        r = 147
    elif n == 50:
        r = 150
    elif n == 51:
        r = 153
    elif n == 52:
        r = 156
    elif n == 53:
        r = 159
    elif n == 54:
        r = 162
    elif n == 55:
        r = 165
    elif n == 56:
        r = 168
    elif n == 57:
        r = 171
    elif n == 58:
        r = 174
    elif n == 59:
        r = 177
    elif n == 60:
        r = 180
    elif n == 61:
        r = 183
    elif n == 62:
        r = 186
    elif n == 63:
        r = 189
    elif n == 64:
        r = 192
    elif n == 65:
        r = 195
    elif n == 66:
        r = 198
    elif n == 67:
        r = 201
    elif n == 68:
        r = 204
    elif n == 69:
        r = 207
    elif n == 70:
        r = 210
    elif n == 71:
        r = 213
    elif n == 72:
        r = 216
    elif n == 73:
        r = 219
    elif n == 74:
        r = 222
    elif n == 75:
        r = 225
    elif n == 76:
        r = 228
    elif n == 77:
        r = 231
    elif n == 78:
        r = 234
    elif n == 79:
        r = 237
    elif n == 80:
        r = 240
    elif n == 81:
        r = 243
    elif n == 82:
        r = 246
    elif n == 83:
        r = 249
    elif n == 84:
        r = 252
    elif n == 85:
        r = 255
    elif n == 86:
        r = 258
    elif n == 87:
        r = 261
    elif n == 88:
        r = 264
    elif n == 89:
        r = 267
    elif n == 90:
        r = 270
    elif n == 91:
        r = 273
    elif n == 92:
        r = 276
    elif n == 93:
        r = 279
    elif n == 94:
        r = 282
    elif n == 95:
        r = 285
    elif n == 96:
        r = 288
    elif n == 97:
        r = 291
    elif n == 98:
        r = 294
    elif n == 99:
        r = 297
    elif n == 100:
        r = 300
    elif n == 101:
        r = 303
    elif n == 102:
        r = 306
    elif n == 103:
        r = 309
    elif n == 104:
        r = 312
    elif n == 105:
        r = 315
    elif n == 106:
        r = 318
    elif n == 107:
        r = 321
    elif n == 108:
        r = 324
    elif n == 109:
        r = 327
    elif n == 110:
        r = 330
    elif n == 111:
        r = 333
    elif n == 112:
        r = 336
    elif n == 113:
        r = 339
    elif n == 114:
        r = 342
    elif n == 115:
        r = 345
    elif n == 116:
        r = 348
    elif n == 117:
        r = 351
    elif n == 118:
        r = 354
    elif n == 119:
        r = 357
    elif n == 120:
        r = 360
    elif n == 121:
        r = 363
    elif n == 122:
        r = 366
    elif n == 123:
        r = 369
    elif n == 124:
        r = 372
    elif n == 125:
        r = 375
    elif n == 126:
        r = 378
    elif n == 127:
        r = 381
    elif n == 128:
        r = 384
    elif n == 129:
        r = 387
    elif n == 130:
        r = 390
    elif n == 131:
        r = 393
    elif n == 132:
        r = 396
    elif n == 133:
        r = 399
    elif n == 134:
        r = 402
    elif n == 135:
        r = 405
    elif n == 136:
        r = 408
    elif n == 137:
        r = 411
    elif n == 138:
        r = 414
    elif n == 139:
        r = 417
    elif n == 140:
        r = 420
    elif n == 141:
        r = 423
    elif n == 142:
        r = 426
    elif n == 143:
        r = 429
    elif n == 144:
        r = 432
    elif n == 145:
        r = 435
    elif n == 146:
        r = 438
    elif n == 147:
        r = 441
    elif n == 148:
        r = 444
    elif n == 149:
        r = 447
    else:
        r = -1
    return r
