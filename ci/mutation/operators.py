"""Single changes to C++ text: operators, constants, negations and statements.

The text is cut into tokens, not parsed: clang-format's spaces tell a comparison from a template's
bracket (`a < b`, `span<T>`) and a product from a pointer (`a * b`, `char* p`). What is changed into
something that does not compile is found out by the compiler and does not count.
"""
import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"""(?P<skip>//[^\n]*|/\*.*?\*/|\s+)
      | (?P<directive>^\#(?:[^\n\\]|\\.|\\\n)*)
      | (?P<string>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')
      | (?P<number>\.?\d(?:[\w.']|[eEpP][+-])*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<operator><=>|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|::|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE)

# Operators between two operands: with a space on both sides.
BINARY = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "/", "/": "*", "<<": ">>", ">>": "<<", "&": "|", "|": "&",
    "+=": "-=", "-=": "+=", "*=": "/=", "|=": "&=", "&=": "|=", "^=": "|=",
}
WORDS = {
    "true": "false", "false": "true", "min": "max", "max": "min", "any_of": "all_of",
    "all_of": "any_of", "none_of": "any_of", "lower_bound": "upper_bound",
    "upper_bound": "lower_bound", "front": "back", "back": "front", "floor": "ceil", "ceil": "floor",
    "begin": "end", "isnan": "isinf", "isinf": "isnan", "kUpheld": "kRefuted",
    "kRefuted": "kUpheld", "kUndecided": "kUpheld",
}
NOT_EXPRESSIONS = {
    "if", "for", "while", "do", "switch", "case", "default", "using", "namespace", "class", "struct",
    "enum", "template", "static_assert", "throw", "const", "constexpr", "static", "auto", "public",
    "private", "goto", "try", "catch", "typedef", "friend", "operator", "extern", "inline", "delete",
}


@dataclass(frozen=True)
class Mutant:
    """A file's text with `[start, end)` replaced."""
    path: str
    start: int
    end: int
    replacement: str
    line: int
    what: str

    def applied_to(self, text):
        return text[:self.start] + self.replacement + text[self.end:]

    def key(self, text):
        """The changed lines without their indentation, before and after: what names the mutant
        wherever in the file it stands."""
        first = text.rfind("\n", 0, self.start) + 1
        last = text.find("\n", self.end)
        last = len(text) if last < 0 else last
        changed = text[first:self.start] + self.replacement + text[self.end:last]
        return " ".join(text[first:last].split()), " ".join(changed.split())


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int
    depth: int  # of parentheses and brackets around it


def tokens_of(text):
    tokens, at, depth = [], 0, 0
    while at < len(text):
        match = TOKEN.match(text, at)
        at = match.end()
        kind = match.lastgroup if match.lastgroup != "mark" else "string"
        if kind in ("skip", "directive"):
            continue
        word = match.group()
        if word in (")", "]"):
            depth -= 1
        tokens.append(Token(kind, word, match.start(), match.end(), depth))
        if word in ("(", "["):
            depth += 1
    return tokens


def other_numbers(word):
    """What a whole decimal number, or a simple fraction, becomes."""
    if re.fullmatch(r"\d+", word):
        return ["1"] if word == "0" else ["0"] if word == "1" else [str(int(word) + 1)]
    match = re.fullmatch(r"(\d+)\.(\d+)", word)
    if match:
        return [f"{int(match[1]) + 1}.{match[2]}"]
    return []


def statement_ends(tokens, first):
    """The index of the semicolon that ends the expression statement beginning at `first`, or None:
    it is something else, or declares something."""
    base = tokens[first].depth
    if tokens[first].text in NOT_EXPRESSIONS or tokens[first].kind in ("string", "number"):
        return None
    if tokens[first].text in ("}", "{", ";", ":", "[", "~", ")", "]", ","):
        return None
    leaving = tokens[first].text in ("return", "continue", "break")
    declares = False
    assigned = False
    for i in range(first, min(first + 200, len(tokens))):
        token = tokens[i]
        if token.depth < base or (token.text in ("{", "}") and token.depth == base and not leaving):
            return None
        if token.text == ";" and token.depth == base:
            return None if declares or i == first else i
        if token.depth == base and not assigned and not leaving and i > first:
            before = tokens[i - 1]
            # `Type name`, `Type* name`, `Type& name`, `vector<T> name`
            if token.kind == "word" and (before.kind == "word"
                                         or before.text in ("*", "&", ">", "&&", ">>")):
                declares = True
            assigned = token.text == "=" or (token.kind == "operator" and token.text.endswith("=")
                                             and token.text not in ("==", "!=", "<=", ">="))
    return None


def mutants_of(path, text):
    """All mutants of a file, in the order of the text."""
    tokens = tokens_of(text)
    found = []

    def add(start, end, replacement, what):
        found.append(Mutant(path, start, end, replacement, text.count("\n", 0, start) + 1, what))

    for i, token in enumerate(tokens):
        before = text[token.start - 1] if token.start > 0 else " "
        after = text[token.end] if token.end < len(text) else " "
        word = token.text
        if token.kind == "operator":
            if word in BINARY and before.isspace() and after.isspace():
                add(token.start, token.end, BINARY[word], f"{word} becomes {BINARY[word]}")
            elif word == "!" and not after.isspace():
                add(token.start, token.end, "", "! is removed")
            elif word in ("++", "--") and i > 0:
                other = "--" if word == "++" else "++"
                add(token.start, token.end, other, f"{word} becomes {other}")
        elif token.kind == "word" and word in WORDS:
            # Not `numeric_limits<T>::max()`, whose other end is another matter.
            if before == ":" and text[:token.start].endswith(">::"):
                continue
            add(token.start, token.end, WORDS[word], f"{word} becomes {WORDS[word]}")
        elif token.kind == "number" and not _is_array_size(text, tokens, i):
            for other in other_numbers(word):
                add(token.start, token.end, other, f"{word} becomes {other}")
        if i == 0:
            continue
        previous = tokens[i - 1].text
        if previous in ("{", "}", ";", "else") or (previous == ")" and _after_condition(tokens, i - 1)):
            last = statement_ends(tokens, i)
            # A function's last return is left: without it the program has no meaning at all.
            conditional = previous == ")" or previous == "else"
            if last is None or (word == "return" and not (conditional or tokens[last + 1].text != "}"
                                                          or tokens[i + 1].text == ";")):
                continue
            short = " ".join(text[token.start:tokens[last].end].split())
            add(token.start, tokens[last].end, "{}", f"without `{short}`")
    return found


def _is_array_size(text, tokens, i):
    """`array<T, 3>`, `int a[3]`: a larger array changes nothing."""
    if text[tokens[i].start - 1] == " " and text[tokens[i].end] == ">":
        return True
    if i < 3 or tokens[i - 1].text != "[" or tokens[i - 2].kind != "word":
        return False
    kind = tokens[i - 3]
    return (kind.kind == "word" and kind.text != "return") or kind.text in (">", ">>")


def _after_condition(tokens, closing):
    """Whether the parenthesis closes the condition of an `if`, `for` or `while`."""
    depth = tokens[closing].depth
    for i in range(closing - 1, -1, -1):
        if tokens[i].text == "(" and tokens[i].depth == depth:
            return i > 0 and tokens[i - 1].text in ("if", "for", "while", "constexpr")
    return False
