#!/usr/bin/env python3
"""Writes the corpus of pdf_fuzz: make_pdf_corpus.py FOLDER. The files are plain, so that damage reaches their structure."""
import pathlib
import sys
import zlib


def pdf(*objects):
    """Objects from number 1 on, the first of which is the catalog."""
    out, places = b"%PDF-1.5\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (out + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table +
            b"trailer\n<< /Root 1 0 R /Size %d >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out)))


def stream(data, entries=b""):
    return b"<< /Length %d %s >>\nstream\n" % (len(data), entries) + data + b"\nendstream"


def one_page(content, *others, entries=b""):
    """A page of 40 x 30 points whose contents are object 4; the others are from number 5 on."""
    return pdf(b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
               b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 40 30] /Contents 4 0 R " + entries + b" >>",
               stream(content), *others)


IMAGE = b"/Type /XObject /Subtype /Image /Width 4 /Height 3 /BitsPerComponent 8 /ColorSpace "
COVER = b"q 40 0 0 30 0 0 cm /Im Do Q"
USES_IMAGE = b"/Resources << /XObject << /Im 5 0 R >> >>"
FILES = {
    "rgb.pdf": one_page(COVER, stream(bytes(range(36)), IMAGE + b"/DeviceRGB"), entries=USES_IMAGE),
    "packed.pdf": one_page(COVER, stream(zlib.compress(bytes(12)), IMAGE + b"/DeviceGray /Filter /FlateDecode"),
                           entries=USES_IMAGE + b" /Rotate 90"),
    "profile.pdf": one_page(COVER, stream(bytes(36), IMAGE + b"[/ICCBased 6 0 R]"), stream(b"", b"/N 3"),
                            entries=USES_IMAGE + b" /CropBox [0 0 40 30] /UserUnit 2"),
    "form.pdf": one_page(b"/Fm Do", stream(b"q 40 0 0 30 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q BT 3 Tr (a) Tj ET",
                                           b"/Type /XObject /Subtype /Form /BBox [0 0 40 30] /Resources << >>"),
                         entries=b"/Resources << /XObject << /Fm 5 0 R >> >>"),
    "text.pdf": one_page(b"BT /F 9 Tf 5 5 Td (text) Tj ET", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
                         entries=b"/Resources << /Font << /F 5 0 R >> >> /Annots [<< /Subtype /Link /Rect [0 0 1 1] >>]"),
    "loop.pdf": pdf(b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 2 >>",
                    b"<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 1 >>"),
}

if __name__ == "__main__":
    for name, data in FILES.items():
        (pathlib.Path(sys.argv[1]) / name).write_bytes(data)
