"""A Metal text rewritten as C++, and what it says of its kernels. translate.py makes a library of both.

What C++ cannot say is rewritten in place, so that lines keep their numbers: pointers into device, constant and
threadgroup memory, threadgroup variables, program-scope constants, function constants, attributes, kernel signatures
and literals. The rest passes as it is. What is not known is refused, as FILE:LINE: message.
"""
import bisect
import re

SPACES = ("device", "constant", "threadgroup", "thread")
POINTERS = {"device": "metal::device_ptr", "constant": "metal::constant_ptr", "threadgroup": "metal::threadgroup_ptr"}
CONSTANT_TYPES = {"bool": "kBool", "int": "kInt", "uint": "kUint", "short": "kShort", "ushort": "kUshort",
                  "float": "kFloat", "half": "kHalf"}
# Attribute of a kernel's argument -> method of Invocation, and whether it has axes.
BUILTINS = {
    "thread_position_in_grid": ("ThreadPositionInGrid", True),
    "threadgroup_position_in_grid": ("ThreadgroupPositionInGrid", True),
    "thread_position_in_threadgroup": ("ThreadPositionInThreadgroup", True),
    "threads_per_threadgroup": ("ThreadsPerThreadgroup", True),
    "threadgroups_per_grid": ("ThreadgroupsPerGrid", True),
    "threads_per_grid": ("ThreadsPerGrid", True),
    "thread_index_in_threadgroup": ("ThreadIndexInThreadgroup", False),
    "thread_index_in_simdgroup": ("ThreadIndexInSimdgroup", False),
    "simdgroup_index_in_threadgroup": ("SimdgroupIndexInThreadgroup", False),
    "simdgroups_per_threadgroup": ("SimdgroupsPerThreadgroup", False),
    "threads_per_simdgroup": ("ThreadsPerSimdgroup", False),
}
SCALARS = ("bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float")
BUILTIN_TYPES = ("uint", "uint2", "uint3", "ushort", "ushort2", "ushort3")
REFUSED = {
    "double": "Metal has no double", "auto": "name the type: what is read from memory is an object of the emulator's",
    "new": "Metal has no new", "delete": "Metal has no delete", "throw": "Metal has no exceptions",
    "try": "Metal has no exceptions", "catch": "Metal has no exceptions", "virtual": "Metal has no virtual functions",
    "dynamic_cast": "Metal has no dynamic_cast", "typeid": "Metal has no typeid", "goto": "Metal has no goto",
    "thread_local": "Metal has no thread_local", "std": "Metal has no std", "asm": "Metal has no asm",
    "extern": "the emulator has no extern", "vertex": "compute kernels only", "fragment": "compute kernels only",
    "host_name": "the emulator has no templates of kernels", "printf": "Metal has no printf",
}
TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<line>\#(?:\\\n|//[^\n]*|/\*.*?\*/|[^\n])*)
  | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<number>(?:\d|\.\d)(?:[eEpP][+-]|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<mark>::|->|.)
""", re.VERBOSE | re.DOTALL)
FLOAT = re.compile(r"(?!0[xX])(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][+-]?\d+)?([fFhH]?)$")


class Refused(Exception):
    pass


class Token:
    __slots__ = ("kind", "text", "begin", "end")

    def __init__(self, kind, text, begin):
        self.kind, self.text, self.begin, self.end = kind, text, begin, begin + len(text)


class Argument:
    """Of a kernel. kind: buffer, threadgroup or builtin."""

    def __init__(self, kind, name, index="", call="", type_text="", written=False, alone=False, only_if=None):
        self.kind, self.name, self.index, self.call, self.type = kind, name, index, call, type_text
        self.written, self.alone, self.only_if = written, alone, only_if


class Kernel:
    def __init__(self, name):
        self.name, self.arguments, self.variables, self.max_threads, self.uses = name, [], [], None, set()


class MetalText:
    def __init__(self, text, path):
        self.text, self.path = text, path
        self.line_starts = [0] + [m.end() for m in re.finditer("\n", text)]
        self.edits = []
        self.strict_edits = []
        self.tokens, self.directives = [], []
        for match in TOKEN.finditer(text):
            token = Token(match.lastgroup, match.group(), match.start())
            if token.kind == "line":
                self.directives.append(token)
            elif token.kind != "space":
                self.tokens.append(token)
        self.end = len(self.tokens)
        self.tokens.append(Token("mark", "", len(text)))  # so that looking ahead needs no care
        self.pairs = self.match_brackets()
        self.constants = {}  # function constant -> (index, type)
        self.derived = {}  # program-scope constant made of function constants -> names it reads
        self.defined_asked = set()  # function constants that the text asks is_function_constant_defined() about
        self.types = set()  # of structs and of templates' parameters
        self.functions = {}  # name of function or struct -> identifiers it mentions
        self.kernels = []
        self.bodies = []  # (first token, last token, Kernel or None): of functions

    def refuse(self, token, message):
        raise Refused(f"{self.path}:{bisect.bisect_right(self.line_starts, token.begin)}: {message}")

    def edit(self, first, last, replacement):
        """Tokens first..last become `replacement`; line ends between them stay."""
        begin, end = self.tokens[first].begin, self.tokens[last].end
        self.edits.append((begin, end, replacement + "\n" * self.text.count("\n", begin, end)))

    def source(self, first, last):
        """The text of tokens first..last on one line, function constants as calls."""
        return " ".join(t.text + "()" if t.kind == "name" and (t.text in self.constants or t.text in self.derived)
                        else t.text for t in self.tokens[first:last + 1])

    def is_at(self, i, *texts):
        return all(i + k < len(self.tokens) and self.tokens[i + k].text == t for k, t in enumerate(texts))

    def match_brackets(self):
        pairs, stack = {}, []
        closing = {")": "(", "]": "[", "}": "{"}
        for i, token in enumerate(self.tokens):
            if token.text in ("(", "[", "{"):
                stack.append(i)
            elif token.text in closing:
                if not stack or self.tokens[stack[-1]].text != closing[token.text]:
                    self.refuse(token, f"'{token.text}' closes nothing")
                pairs[stack[-1]] = i
                pairs[i] = stack.pop()
        if stack:
            self.refuse(self.tokens[stack[-1]], f"'{self.tokens[stack[-1]].text}' is not closed")
        return pairs

    def is_attribute(self, i):
        return self.is_at(i, "[", "[") and self.tokens[i].end == self.tokens[i + 1].begin

    # --- what a text may not have -----------------------------------------------------------------------------------

    def check_words(self):
        for i, token in enumerate(self.tokens):
            if token.kind == "name" and token.text in REFUSED and not self.is_at(i - 1, "."):
                self.refuse(token, f"{token.text}: {REFUSED[token.text]}")
            if (token.text == "[" and not self.is_attribute(i) and i > 0
                    and self.tokens[i - 1].text in ("=", "(", ",", "return", "{", "&") and not self.is_at(i - 1, "[")):
                self.refuse(token, "Metal has no lambdas")

    def check_spaces_are_named(self):
        """Metal wants an address space at every pointer and reference."""
        types = set(SCALARS) | {scalar + size for scalar in SCALARS for size in "234"} | self.types
        for i, token in enumerate(self.tokens):
            if token.text not in types or self.tokens[i + 1].text not in ("*", "&") or self.is_at(i + 1, "&", "&"):
                continue
            k = i - 1
            while self.tokens[k].text in ("const", "volatile", "::", "metal"):
                k -= 1
            if self.tokens[k].text not in SPACES:
                self.refuse(token, f"a pointer or reference to {token.text} without an address space")

    def check_directives(self):
        special = set(SPACES) | {"kernel"} | set(self.constants) | set(self.derived)
        for directive in self.directives:
            body = directive.text
            if re.match(r"#\s*(include|import)\b", body):
                if not re.match(r"#\s*include\s*<metal_\w+>\s*(//.*)?$", body):
                    self.refuse(directive, "only metal_* headers can be included")
            elif re.match(r"#\s*define\b", body):
                for match in TOKEN.finditer(body, 1):
                    if match.lastgroup == "name" and match.group() in special:
                        self.refuse(directive, f"a macro cannot say '{match.group()}'")
                    if match.lastgroup == "number":
                        self.edit_number(directive.begin + match.start(), match.group())

    def edit_number(self, begin, text):
        match = FLOAT.match(text)
        if not match or match.group(3) in ("f", "F"):
            return
        if match.group(3):
            self.edits.append((begin, begin + len(text), f"metal::half({text[:-1]}f)"))
        else:
            self.edits.append((begin, begin + len(text), text + "f"))

    # --- program scope ----------------------------------------------------------------------------------------------

    def scan_scope(self, first, last):
        """Statements of the program's or a namespace's scope, tokens first..last - 1."""
        i = first
        while i < last:
            start = i
            while i < last and self.tokens[i].text not in ("{", ";", "}"):
                i = self.pairs[i] + 1 if self.tokens[i].text in ("(", "[") else i + 1
            if i >= last:
                break
            words = {t.text for t in self.tokens[start:i]}
            if self.tokens[i].text == "{":
                close = self.pairs[i]
                if "namespace" in words:
                    self.scan_scope(i + 1, close)
                    i = close + 1
                    continue
                if words & {"struct", "class", "enum", "union"} and "(" not in words:
                    self.note_struct(start, i, close)
                    i = close
                    while self.tokens[i].text != ";":
                        i += 1
                elif "=" in words:
                    i = close
                    while self.tokens[i].text != ";":
                        i += 1
                    self.scan_constant(start, i)
                else:
                    self.scan_function(start, i, close, words)
                    i = close
            elif "constant" in words and "(" not in {t.text for t in self.tokens[start:start + 3]}:
                self.scan_constant(start, i)
            i += 1

    def note_struct(self, start, open_brace, close):
        kinds = ("struct", "class", "enum", "union")
        keyword = next(k for k in range(start, open_brace) if self.tokens[k].text in kinds)
        name = self.tokens[keyword + 1].text
        self.types.add(name)
        self.functions.setdefault(name, set()).update(
            t.text for t in self.tokens[open_brace:close] if t.kind == "name")

    def scan_function(self, start, open_brace, close, words):
        i, max_threads, is_kernel = start, None, "kernel" in words
        while i < open_brace and self.tokens[i].text != "(":
            if self.is_attribute(i):
                attribute_end = self.pairs[i]
                for name, arguments in self.attributes(i):
                    if name == "max_total_threads_per_threadgroup" and arguments:
                        max_threads = arguments
                    elif name == "kernel":
                        is_kernel = True
                    else:
                        self.refuse(self.tokens[i], f"unknown attribute [[{name}]]")
                self.edit(i, attribute_end, "")
                i = attribute_end
            i += 1
        self.types |= {self.tokens[k + 1].text for k in range(start, min(i, open_brace))
                       if self.tokens[k].text == "typename"}
        if i >= open_brace:
            self.refuse(self.tokens[start], "this is neither a function nor a type")
        name = self.tokens[i - 1].text
        uses = {t.text for t in self.tokens[i:close] if t.kind == "name"}
        self.functions.setdefault(name, set()).update(uses)
        kernel = None
        if is_kernel:
            if "template" in words:
                self.refuse(self.tokens[start], "the emulator has no templates of kernels")
            if not self.is_at(i - 2, "void"):
                self.refuse(self.tokens[i - 1], "a kernel gives void")
            if any(k.name == name for k in self.kernels):
                self.refuse(self.tokens[i - 1], f"there is a kernel '{name}' already")
            kernel = Kernel(name)
            kernel.uses, kernel.max_threads = uses, max_threads
            for k in range(start, i):
                if self.tokens[k].text == "kernel" and not self.is_at(k - 1, "["):
                    self.edit(k, k, "static")
            self.kernels.append(kernel)
            self.pending.append((kernel, i, self.pairs[i]))
        elif any(self.is_attribute(k) for k in range(i, self.pairs[i])):
            self.refuse(self.tokens[i], "attributes of arguments belong to kernels")
        self.bodies.append((open_brace, close, kernel))

    def attributes(self, i):
        """[(name, text of its arguments or None)] of the attribute that opens at token i."""
        result, k, close = [], i + 2, self.pairs[i + 1]
        while k < close:
            name = self.tokens[k].text
            while self.is_at(k + 1, "::"):
                name += "::" + self.tokens[k + 2].text
                k += 2
            k += 1
            arguments = None
            if self.is_at(k, "("):
                arguments = " ".join(t.text for t in self.tokens[k + 1:self.pairs[k]])
                k = self.pairs[k] + 1
            result.append((name, arguments))
            if self.is_at(k, ","):
                k += 1
        return result

    def scan_constant(self, start, semicolon):
        """`constant T name [[function_constant(n)]];` or `constant T name = value;`"""
        tokens = self.tokens
        at = next((k for k in range(start, semicolon) if tokens[k].text == "constant"), None)
        if at is None:
            return
        type_end = self.skip_type(self.skip_const(at + 1))
        if tokens[type_end].text in ("*", "&"):
            self.refuse(tokens[at], "a pointer cannot be a program-scope constant")
        name = tokens[type_end]
        if name.kind != "name":
            self.refuse(name, "expected a constant's name")
        if self.is_attribute(type_end + 1):
            attributes = self.attributes(type_end + 1)
            if len(attributes) != 1 or attributes[0][0] != "function_constant" or not attributes[0][1]:
                self.refuse(name, "expected [[function_constant(n)]]")
            type_text = self.source(self.skip_const(at + 1), type_end - 1)
            if type_text not in CONSTANT_TYPES:
                self.refuse(name, f"the emulator has no function constants of type {type_text}")
            index = attributes[0][1]  # a number or a macro's name
            if any(index == other for other, _ in self.constants.values()):
                self.refuse(name, f"function constant {index} is declared already")
            self.constants[name.text] = (index, type_text)
            self.strict_edits.append((tokens[start].begin, tokens[semicolon].end,
                                      f"extern constant {type_text} {name.text};"))
            self.edit(start, semicolon, f"static inline {type_text} {name.text}() "
                      f"{{ return metal_emulator::FunctionConstantValue<{type_text}>({index}); }}")
            return
        mentioned = {t.text for t in tokens[type_end + 1:semicolon]} & (set(self.constants) | set(self.derived))
        if mentioned:
            if not self.is_at(type_end + 1, "="):
                self.refuse(name, "an array cannot be made of function constants")
            for k in range(type_end + 2, semicolon):
                if tokens[k].text == "is_function_constant_defined":
                    self.defined_asked.add(tokens[k + 2].text)
            self.derived[name.text] = mentioned
            type_text = self.source(self.skip_const(at + 1), type_end - 1)
            self.strict_edits.append((tokens[start].begin, tokens[semicolon].end,
                                      f"extern constant {type_text} {name.text};"))
            self.edit(start, type_end + 1, f"static inline {type_text} {name.text}() {{ return (")
            self.edit(semicolon, semicolon, "); }")
            return
        before = {t.text for t in tokens[start:at]}
        self.edit(at, at, "const" if "static" in before else "static const")

    # --- types and address spaces -----------------------------------------------------------------------------------

    def skip_const(self, i):
        while self.tokens[i].text in ("const", "volatile", "constexpr", "static"):
            if self.tokens[i].text == "volatile":
                self.refuse(self.tokens[i], "the emulator has no volatile")
            i += 1
        return i

    def skip_angles(self, i):
        depth = 0
        while i < self.end:
            text = self.tokens[i].text
            if text == "<":
                depth += 1
            elif text == ">":
                depth -= 1
                if depth == 0:
                    return i + 1
            elif text in (";", "{"):
                break
            i = self.pairs[i] + 1 if text in ("(", "[") else i + 1
        self.refuse(self.tokens[i], "'<' is not closed")

    def skip_type(self, i):
        """The token behind the type that begins at token i."""
        words = ("unsigned", "signed", "int", "short", "long", "char")
        if self.tokens[i].text in words:
            while self.tokens[i].text in words:
                i += 1
            return i
        if self.tokens[i].text in ("typename", "struct"):
            i += 1
        while True:
            if self.tokens[i].kind != "name" or self.tokens[i].text in SPACES:
                self.refuse(self.tokens[i], f"expected a type, not '{self.tokens[i].text}'")
            i += 1
            if self.is_at(i, "<"):
                i = self.skip_angles(i)
            if not self.is_at(i, "::"):
                return i
            i += 1

    def body_at(self, i):
        """The function body with token i: (first, last, kernel), or None."""
        return next((body for body in self.bodies if body[0] < i < body[1]), None)

    def rewrite_spaces(self):
        i = 0
        while i < self.end:
            token = self.tokens[i]
            if token.kind == "name" and token.text in SPACES and not self.in_attribute(i):
                i = self.rewrite_space(i)
            else:
                i += 1

    def in_attribute(self, i):
        return any(begin < i < end for begin, end in self.attribute_spans)

    def rewrite_space(self, i):
        """An address space and the type behind it; gives the token to go on at."""
        token, space = self.tokens[i], self.tokens[i].text
        start = i
        is_const = space == "constant"
        while self.tokens[start - 1].text == "const" and start > 0:
            start -= 1
            is_const = True
        before = self.tokens[start - 1]
        if start > 0 and (before.kind == "number" or before.kind == "name" and before.text not in
                          ("constexpr", "static", "inline", "return", "kernel", "typedef", "mutable", "const", "else")):
            self.refuse(token, f"write '{space}' before the type")
        type_begin = i + 1
        while self.tokens[type_begin].text in ("const", "volatile"):
            is_const = is_const or self.tokens[type_begin].text == "const"
            type_begin = self.skip_const(type_begin)
        type_end = self.skip_type(type_begin)
        if any(t.text in SPACES for t in self.tokens[type_begin:type_end]):
            self.refuse(token, "an address space within a type's arguments")
        after = type_end
        if self.is_at(after, "const"):
            is_const = True
            after += 1
        if space == "thread":
            self.edit(i, i, "")
            return i + 1
        type_text = self.source(type_begin, type_end - 1)
        kind = self.tokens[after].text
        if kind == "*":
            if self.is_at(after + 1, "*") or self.is_at(after + 1, "const", "*"):
                self.refuse(token, "a pointer to a pointer")
            if self.is_at(after + 1, "restrict") or self.is_at(after + 1, "__restrict"):
                after += 1
            name = after + 2 if self.is_at(after + 1, "const") else after + 1
            if self.tokens[name].kind == "name" and self.is_at(name + 1, ",", "*"):
                self.refuse(token, "one pointer a declaration")
            if self.tokens[name].kind == "name" and self.tokens[name].text in SPACES:
                self.refuse(token, "a pointer that itself lies in an address space")
            self.edit(start, after, f"{POINTERS[space]}<{'const ' if is_const else ''}{type_text}>")
            return after + 1
        if kind == "&":
            if not is_const:
                self.refuse(token, f"a reference into {space} memory that can be written: take a pointer")
            self.edit(start, after, f"const {type_text}&")
            return after + 1
        if kind == "(":
            self.refuse(token, "a pointer or reference to an array: take a pointer to its elements")
        if space == "constant":
            if self.body_at(i) is not None:
                self.refuse(token, "a constant within a function: declare it at program scope")
            if not any(begin <= token.begin < end for begin, end, _ in self.edits):
                self.edit(i, i, "const")  # a static member
            return i + 1
        if space == "threadgroup" and self.tokens[after].kind == "name":
            return self.rewrite_variable(i, start, type_text, after)
        self.refuse(token, f"a variable in {space} memory")

    def rewrite_variable(self, i, start, type_text, name):
        """`threadgroup T name[..]..;` in a kernel's body."""
        body = self.body_at(i)
        if body is None or body[2] is None:
            self.refuse(self.tokens[i], "a threadgroup variable outside a kernel's body")
        kernel, end, sizes = body[2], name + 1, []
        while self.is_at(end, "["):
            sizes.append(self.source(end + 1, self.pairs[end] - 1))
            end = self.pairs[end] + 1
        if not self.is_at(end, ";"):
            self.refuse(self.tokens[i], "a threadgroup variable has one name and no first value")
        number = len(kernel.variables)
        name_text = self.tokens[name].text
        if sizes:
            kernel.variables.append((name_text, type_text + "".join(f"[{size}]" for size in sizes)))
            self.edit(start, end - 1, f"const metal::threadgroup_array<{type_text}, "
                      f"{', '.join(f'({size})' for size in sizes)}> {name_text}({number}u)")
        else:
            kernel.variables.append((name_text, type_text))
            self.edit(start, end - 1, f"const metal::threadgroup_variable<{type_text}> {name_text}({number}u)")
        return end

    # --- kernels' arguments -----------------------------------------------------------------------------------------

    def scan_arguments(self, kernel, open_paren, close_paren):
        i = open_paren + 1
        while i < close_paren:
            first = i
            while i < close_paren and self.tokens[i].text != ",":
                if self.tokens[i].text in ("(", "["):
                    i = self.pairs[i]
                elif self.tokens[i].text == "<":
                    i = self.skip_angles(i) - 1
                i += 1
            self.scan_argument(kernel, first, i)
            i += 1

    def scan_argument(self, kernel, first, end):
        at = next((k for k in range(first, end) if self.is_attribute(k)), None)
        if at is None:
            self.refuse(self.tokens[first], "a kernel's argument without an attribute")
        attributes = dict(self.attributes(at))
        self.attribute_spans.append((at, self.pairs[at]))
        self.edit(at, self.pairs[at], "")
        name = self.tokens[at - 1]
        only_if = attributes.pop("function_constant", None)
        if only_if is not None and self.constants.get(only_if, (0, ""))[1] != "bool":
            self.refuse(name, f"'{only_if}' is no function constant of type bool")
        if len(attributes) != 1:
            self.refuse(name, f"argument '{name.text}' needs one attribute")
        (attribute, value), = attributes.items()
        texts = [t.text for t in self.tokens[first:at - 1]]
        space = next((t for t in texts if t in SPACES), None)
        if attribute in ("buffer", "threadgroup"):
            if not value:
                self.refuse(name, f"[[{attribute}(n)]] needs a number")
            if space is None or (attribute == "threadgroup") != (space == "threadgroup"):
                self.refuse(name, f"[[{attribute}]] does not fit the argument's address space")
            if texts[-1] not in ("*", "&", "restrict", "__restrict", "const"):
                self.refuse(name, f"argument '{name.text}' is neither a pointer nor a reference")
            if any(a.kind == attribute and a.index == value for a in kernel.arguments):
                self.refuse(name, f"{attribute} {value} is taken already")
            is_const = space == "constant" or "const" in texts[:texts.index("*")] if "*" in texts else True
            type_begin = first
            while self.tokens[type_begin].text in SPACES or self.tokens[type_begin].text == "const":
                type_begin += 1
            type_text = self.source(type_begin, self.skip_type(type_begin) - 1)
            alone = "&" in texts
            if alone and only_if is not None:
                self.refuse(name, "an argument that may be missing must be a pointer")
            kernel.arguments.append(Argument(attribute, name.text, value, space, type_text,
                                             not is_const, alone, only_if))
        elif attribute in BUILTINS:
            type_text = " ".join(t for t in texts if t != "const")
            method, has_axes = BUILTINS[attribute]
            if type_text not in BUILTIN_TYPES or (not has_axes and type_text not in ("uint", "ushort")):
                self.refuse(name, f"[[{attribute}]] cannot be of type '{type_text}'")
            kernel.arguments.append(Argument("builtin", name.text, "", method, type_text))
        else:
            self.refuse(name, f"unknown attribute [[{attribute}]]")

    # --- function constants -----------------------------------------------------------------------------------------

    def rewrite_uses(self):
        names = set(self.constants) | set(self.derived)
        for i, token in enumerate(self.tokens):
            if token.text == "is_function_constant_defined":
                named = self.is_at(i + 1, "(") and self.is_at(i + 3, ")")
                if not named or self.tokens[i + 2].text not in self.constants:
                    self.refuse(token, "expected the name of a function constant")
                index = self.constants[self.tokens[i + 2].text][0]
                self.defined_asked.add(self.tokens[i + 2].text)
                self.strict_edits.append((token.begin, self.tokens[i + 3].end, "true"))
                self.edit(i, i + 3, f"metal_emulator::IsFunctionConstantDefined({index})")
            elif (token.kind == "name" and token.text in names and self.tokens[i - 1].text not in (".", "->")
                  and not self.is_at(i - 2, "is_function_constant_defined")
                  and not any(begin <= token.begin < end for begin, end, _ in self.edits)):
                self.edit(i, i, token.text + "()")

    def constants_of(self, kernel):
        """Names of the function constants that the kernel may read."""
        seen, waiting = set(), set(kernel.uses) | {a.only_if for a in kernel.arguments if a.only_if}
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting |= self.functions.get(name, set()) | self.derived.get(name, set())
        return [n for n in self.constants if n in seen]

    # --- output -----------------------------------------------------------------------------------------------------

    def translate(self):
        self.pending, self.attribute_spans = [], []
        self.check_words()
        self.scan_scope(0, self.end)
        for kernel, open_paren, close_paren in self.pending:
            self.scan_arguments(kernel, open_paren, close_paren)
        self.check_directives()
        for i, token in enumerate(self.tokens):
            if self.is_attribute(i) and not any(begin <= token.begin < end for begin, end, _ in self.edits):
                self.refuse(token, "an attribute that the emulator does not know")
            if token.text == "static" and self.body_at(i) is not None:
                self.refuse(token, "Metal has no static variables in functions")
            if token.text == "reinterpret_cast" and self.tokens[i + 1].text == "<":
                if {t.text for t in self.tokens[i + 1:self.skip_angles(i + 1)]} & set(POINTERS):
                    self.edit(i, i, "metal::pointer_cast")
            if token.kind == "number":
                self.edit_number(token.begin, token.text)
        self.check_spaces_are_named()
        self.rewrite_spaces()
        self.rewrite_uses()
        return self.edited(self.edits)

    def strict(self):
        """The text but for function constants, which C++ for OpenCL has not."""
        return f'#line 1 "{self.path}"\n' + self.edited(
            [(begin, end, text + "\n" * self.text.count("\n", begin, end)) for begin, end, text in self.strict_edits])

    def edited(self, edits):
        out, at = [], 0
        for begin, end, replacement in sorted(edits):
            if begin < at:
                if end <= at:
                    continue  # within what a larger edit wrote anew
                raise Refused(f"{self.path}:{bisect.bisect_right(self.line_starts, begin)}: "
                              "two rewritings meet here; split the line")
            out += [self.text[at:begin], replacement]
            at = end
        out.append(self.text[at:])
        return "".join(out)
