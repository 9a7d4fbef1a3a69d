#!/bin/sh
# Tests of operators.py: what is changed in a text, and what is left alone.
# Exit status: 0 as it should be, 1 not, 77 there is no python3.
if ! command -v python3 >/dev/null; then
  echo "operators_test: skipped: there is no python3"
  exit 77
fi
exec python3 -B - "$(dirname "$0")" <<'TEST'
import sys
sys.path.insert(0, sys.argv[1])
from operators import mutants_of

failures = 0


def expect(text, *due):
    """The mutants' texts, in any order."""
    global failures
    got = sorted(m.applied_to(text) for m in mutants_of("f.cc", text))
    if got != sorted(due):
        print(f"of: {text}\n  got: {got}\n  due: {sorted(due)}")
        failures += 1


# Comparisons, not brackets of templates; products, not pointers; each place by itself.
expect("if (a < b) x();", "if (a <= b) x();", "if (a < b) {}")
expect("span<int> s; vector<array<int, 2>> v;")
expect("template <typename T> T* f(const T& a, T&& b);")
expect("y = a * b;", "y = a / b;")
expect("bool c = a && b || d;", "bool c = a || b || d;", "bool c = a && b && d;")
# Comments, texts and directives are left.
expect('// a < b\n/* c == d */\n#define E (a != b)\nconst char* t = "1 < 2";')
# Constants; sizes of arrays are none.
expect("int n = 0;", "int n = 1;")
expect("double d = 0.5;", "double d = 1.5;")
expect("int n = 0x10;")
expect("char c[3] = {};")
expect("int n = c[3];", "int n = c[4];")
expect("bool b = !c;", "bool b = c;")
expect("int n = std::min(a, b);", "int n = std::max(a, b);")
expect("int n = std::numeric_limits<int>::max();")
# Statements, but no declarations, and no last return of a function.
expect("void f() { g(a); }", "void f() { {} }")
expect("void f() { T x(a); }")
expect("int f() { return a; }")
expect("int f() { if (a) return b; return c; }", "int f() { if (a) {} return c; }")
expect("void f() { for (;;) { if (a) continue; g(); } }",
       "void f() { for (;;) { if (a) {} g(); } }", "void f() { for (;;) { if (a) continue; {} } }")
expect("void f() { x.y = g(a); }", "void f() { {} }")

text = "int f() {\n  return a\n      < b ? 1 : c;\n}\n"
lines = {(m.line, m.what) for m in mutants_of("f.cc", text)}
if lines != {(3, "< becomes <="), (3, "1 becomes 0")}:
    print(f"lines: {lines}")
    failures += 1
moved = mutants_of("f.cc", "\n\n" + text)[0]
if moved.key("\n\n" + text) != mutants_of("f.cc", text)[0].key(text):
    print("a mutant has another name where it stands elsewhere")
    failures += 1

print(f"operators_test: {failures} failures")
sys.exit(failures > 0)
TEST
