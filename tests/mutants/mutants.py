"""Mutants of C source text: changes of one place each, all compiled into one program and chosen by number
when it starts.

A mutant is made from the syntax tree (tree-sitter).  The text of a mutated expression `a < b` becomes
`(cupel__mutant(17) ? (a <= b) : (a < b))`, so a program with three thousand mutants is built once.
"""
import dataclasses

import tree_sitter
import tree_sitter_c

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_c.language()))

OPERATORS = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
    "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "%": ("*",), "&&": ("||",), "||": ("&&",),
    "&": ("|",), "|": ("&",), "^": ("&",), "<<": (">>",), ">>": ("<<",),
}
ASSIGNMENTS = {"+=": ("-=",), "-=": ("+=",), "|=": ("&=",), "&=": ("|=",), "<<=": (">>=",), ">>=": ("<<=",)}

# Calls that mean the same with two of their arguments exchanged; the last two only where equality alone counts.
SYMMETRIC = {"cupel__str_eq", "cupel__arena_array", "calloc"}
COMPARING = {"memcmp", "strcmp"}

# Inside these a value has to be a constant expression, or nothing is executed.
CONSTANT = {"case_statement", "enum_specifier", "array_declarator", "preproc_def", "preproc_function_def",
            "static_assert_declaration", "bitfield_clause", "sizeof_expression", "alignof_expression",
            "offsetof_expression", "type_descriptor", "preproc_if", "attribute_specifier", "gnu_asm_expression",
            "init_declarator_static", "field_designator", "subscript_designator", "ERROR"}


@dataclasses.dataclass
class Mutant:
    """One change.  `start` and `end` are offsets in bytes of the place in its file."""
    file: str
    line: int
    function: str
    kind: str
    before: str
    after: str
    start: int
    end: int
    statement: bool  # the place is a whole statement
    number: int = -1

    def key(self):
        """What identifies the mutant while the file changes elsewhere."""
        return f"{self.file} {self.function} {self.kind}: {one_line(self.before)} -> {one_line(self.after)}"


def one_line(text):
    return " ".join(text.split())[:120]


def text_of(source, node):
    return source[node.start_byte:node.end_byte].decode("utf-8", "replace")


def is_static(source, node):
    """Whether a declaration has static storage: its initializer is a constant expression."""
    return any(child.type == "storage_class_specifier" and text_of(source, child) == "static"
               for child in node.children)


class Finder:
    """Collects the mutants of one file."""

    def __init__(self, file, source):
        self.file, self.source, self.found = file, source, []
        self.function = ""

    def add(self, node, kind, after, statement=False):
        self.found.append(Mutant(self.file, node.start_point[0] + 1, self.function, kind,
                                 text_of(self.source, node), after, node.start_byte, node.end_byte, statement))

    def run(self):
        self.visit(PARSER.parse(self.source).root_node, False)
        return self.found

    def visit(self, root, inside):
        """Goes through the tree; mutants are made inside function bodies alone."""
        stack = [(root, inside, "")]
        while stack:
            node, inside, function = stack.pop()
            self.function = function
            if node.type == "function_definition":
                function = self.name_of(node)
                body = node.child_by_field_name("body")
                if body is not None:
                    stack.append((body, True, function))
                continue
            if inside and (node.type in CONSTANT and node.type != "case_statement"):
                continue
            if inside and node.type == "declaration" and is_static(self.source, node):
                continue
            if inside:
                self.mutate(node)
            children = node.children
            if node.type == "case_statement":  # its label is a constant expression
                value = node.child_by_field_name("value")
                children = [child for child in children if value is None or child.id != value.id]
            stack.extend((child, inside, function) for child in reversed(children))

    def name_of(self, node):
        declarator = node.child_by_field_name("declarator")
        while declarator is not None and declarator.type != "identifier":
            inner = declarator.child_by_field_name("declarator")
            if inner is None:
                break
            declarator = inner
        return text_of(self.source, declarator) if declarator is not None else "?"

    def mutate(self, node):
        action = getattr(self, "at_" + node.type, None)
        if action is not None:
            action(node)

    # -- Operators and constants --

    def at_binary_expression(self, node):
        left, operator, right = (node.child_by_field_name(name) for name in ("left", "operator", "right"))
        for other in OPERATORS.get(text_of(self.source, operator), ()):
            self.add(node, "operator",
                     f"({text_of(self.source, left)}) {other} ({text_of(self.source, right)})")

    def at_assignment_expression(self, node):
        left, operator, right = (node.child_by_field_name(name) for name in ("left", "operator", "right"))
        for other in ASSIGNMENTS.get(text_of(self.source, operator), ()):
            self.add(node, "assignment",
                     f"({text_of(self.source, left)}) {other} ({text_of(self.source, right)})")

    def at_unary_expression(self, node):
        operator, argument = (node.child_by_field_name(name) for name in ("operator", "argument"))
        if text_of(self.source, operator) in ("!", "-", "~"):
            self.add(node, "unary", f"({text_of(self.source, argument)})")

    def at_update_expression(self, node):
        text = text_of(self.source, node)
        self.add(node, "update", text.replace("++", "--") if "++" in text else text.replace("--", "++"))

    def at_number_literal(self, node):
        text = text_of(self.source, node)
        if "." in text or (text.lower().endswith("f") and not text.lower().startswith("0x")):
            return
        for other in ("+ 1", "- 1"):
            self.add(node, "constant", f"({text} {other})")

    # -- Conditions --

    def condition(self, node):
        condition = node.child_by_field_name("condition")
        if condition is None:
            return
        inner = condition
        if condition.type == "parenthesized_expression":
            inner = condition.named_children[0] if condition.named_children else condition
        text = text_of(self.source, inner)
        if inner.type in ("binary_expression", "number_literal"):
            return  # its operator is mutated
        self.add(inner, "condition", f"!({text})")

    at_if_statement = at_while_statement = at_do_statement = at_for_statement = condition
    at_conditional_expression = condition

    # -- Statements --

    def at_expression_statement(self, node):
        if node.named_child_count:
            self.add(node, "removed", ";", statement=True)

    def at_break_statement(self, node):
        self.add(node, "removed", ";", statement=True)

    at_continue_statement = at_break_statement

    def at_return_statement(self, node):
        value = node.named_children[0] if node.named_children else None
        if value is None or value.type in ("binary_expression", "number_literal", "unary_expression"):
            return
        text = text_of(self.source, value)
        if text in ("true", "false"):
            self.add(value, "returned", "false" if text == "true" else "true")
        elif text not in ("NULL", "0", "CUPEL_OK"):
            self.add(value, "returned", f"(__typeof__({text}))0")

    def at_call_expression(self, node):
        arguments = node.child_by_field_name("arguments")
        given = [child for child in arguments.named_children if child.type != "comment"] if arguments else []
        if self.is_symmetric(node):
            return
        for i in range(len(given) - 1):
            first, second = text_of(self.source, given[i]), text_of(self.source, given[i + 1])
            if first == second:
                continue
            start, end = node.start_byte, node.end_byte
            swapped = (self.source[start:given[i].start_byte] + second.encode() +
                       self.source[given[i].end_byte:given[i + 1].start_byte] + first.encode() +
                       self.source[given[i + 1].end_byte:end])
            self.add(node, "swapped", swapped.decode("utf-8", "replace"))


    def is_symmetric(self, call):
        function, parent = text_of(self.source, call.child_by_field_name("function")), call.parent
        if function in SYMMETRIC:
            return True
        return function in COMPARING and parent is not None and parent.type == "binary_expression" and \
            text_of(self.source, parent).endswith(("== 0", "!= 0"))


def find(file, source):
    """All mutants of a file, in the order of the text."""
    return Finder(file, source).run()


def find_planted(file, source, function, before, after):
    """The mutant that replaces an expression, or removes a statement, of a function; None if the function does
    not have it.  Of equal expressions the first is taken."""
    finder, found = Finder(file, source), None
    stack = [(PARSER.parse(source).root_node, "")]
    while stack and found is None:
        node, inside = stack.pop()
        if node.type == "function_definition":
            inside = finder.name_of(node)
        statement = node.type == "expression_statement"
        if inside == function and one_line(text_of(source, node)) == before and statement == before.endswith(";"):
            found = Mutant(file, node.start_point[0] + 1, function, "planted", text_of(source, node), after,
                           node.start_byte, node.end_byte, statement)
        stack.extend((child, inside) for child in reversed(node.children))
    return found


def weave(source, mutants):
    """The text with these mutants in it.  Places may be nested, never crossed."""
    places = {}
    for mutant in mutants:
        places.setdefault((mutant.start, -mutant.end), []).append(mutant)
    order = sorted(places)

    def render(start, end, index):
        """Text of [start, end) with the places from `index` on; returns it and the next index."""
        out, at = [], start
        while index < len(order) and order[index][0] < end:
            key = order[index]
            first, last = key[0], -key[1]
            out.append(source[at:first])
            inner, index = render(first, last, index + 1)
            out.append(wrap(places[key], inner))
            at = last
        out.append(source[at:end])
        return b"".join(out), index

    return render(0, len(source), 0)[0]


def wrap(mutants, inner):
    """One place: its text unless one of its mutants is active.  Lines stay where they are."""
    def flat(text):
        return " ".join(text.split()).encode()
    if mutants[0].statement:
        tests = " && ".join(f"!cupel__mutant({mutant.number})" for mutant in mutants)
        return b"{ if (" + tests.encode() + b") { " + inner + b" } }"
    out = inner
    for mutant in mutants:
        out = (b"(cupel__mutant(%d) ? (" % mutant.number) + flat(mutant.after) + b") : (" + out + b"))"
    return out
