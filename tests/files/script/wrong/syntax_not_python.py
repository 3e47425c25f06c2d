# ERROR: 2:1-3: expected 'def' or 'class', found 'int'
int main(int a) { return a; }
