class A {
 void F() {
  var s = $"{a; b = "x"
 }
 int x = "unterminated
 public int y;
