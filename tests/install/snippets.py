"""The C++ and the C that the documents show, as programs."""
import re

# What the lines at the head of ocr.h take as given: an image in memory.
OCR_H = """#include <inkread/ocr.h>

#include <cstdio>
#include <vector>

int main() {{
  const int width = 64, height = 32;
  const std::vector<unsigned char> white(static_cast<size_t>(width) * height * 3, 255);
  const unsigned char* pixels = white.data();
  const ptrdiff_t stride = width * 3;
{lines}
}}
"""

# What the lines at the head of inkread.h take as given: the name of a file.
INKREAD_H = """#include <inkread/inkread.h>
#include <stdio.h>

int main(int argc, char** argv) {{
  const char* path = argc > 1 ? argv[1] : "";
{lines}
}}
"""


def readme_program(text):
    """The block of C++ in README.md, a whole program."""
    blocks = re.findall(r"^```cpp\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    if len(blocks) != 1:
        raise ValueError(f"README.md: expected one block of C++, found {len(blocks)}")
    return blocks[0]


def ocr_h_program(text):
    """The indented lines of the comment at the head of ocr.h, within a main."""
    head = text[:text.index("#ifndef")]
    lines = re.findall(r"^//   (.*)$", head, re.MULTILINE)
    if not lines:
        raise ValueError("ocr.h: no example in the comment at its head")
    return OCR_H.format(lines="\n".join("  " + line for line in lines))


def c_page_program(text):
    """The first block of C in docs/c.md or README.md, a whole program."""
    blocks = re.findall(r"^```c\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    if not blocks:
        raise ValueError("expected a block of C")
    return blocks[0]


def install_lines(text):
    """The lines for a shell that tell programs of a prefix, in README.md or docs/install.md."""
    [block] = [block for block in re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
               if block.startswith("prefix=")]
    return block


def inkread_h_program(text):
    """The first indented lines of the comment at the head of inkread.h, within a main."""
    found = re.search(r"^(?: \*   .*\n)+", text, re.MULTILINE)
    if not found:
        raise ValueError("inkread.h: no example in the comment at its head")
    return INKREAD_H.format(lines=re.sub(r"^ \* ", "", found.group(), flags=re.MULTILINE))
