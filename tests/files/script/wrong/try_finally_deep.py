# ERROR: 19:25-28: 'finally' inside of 'finally' deeper than 5
def main(n: int):
    x = n
    try:
        x += 1
    finally:
        try:
            x += 1
        finally:
            try:
                x += 1
            finally:
                try:
                    x += 1
                finally:
                    try:
                        x += 1
                    finally:
                        try:
                            x += 1
                        finally:
                            x += 1
    return x
