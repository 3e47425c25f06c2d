# ERROR: 2:1-3: expected a function, class, constant or import, found 'int'
int main(int a) { return a; }
