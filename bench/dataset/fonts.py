"""The fonts of the data set: files of Debian 12, pinned by SHA-256, because other versions draw other pixels."""
import functools
import hashlib
import pathlib

from PIL import ImageFont

ROOT = pathlib.Path("/usr/share/fonts")
NOTO, LIBERATION = "opentype/noto/", "truetype/liberation/"

# File -> Debian package and SHA-256.
FILES = {
    NOTO + "NotoSansCJK-Regular.ttc":
        ("fonts-noto-cjk", "b76b0433203017ca80401b2ee0dd69350349871c4b19d504c34dbdd80541690a"),
    NOTO + "NotoSansCJK-Bold.ttc":
        ("fonts-noto-cjk", "faa5f3656a78b2e2d450d27fe8382c778bc2b6bb5ea29c986664a6a435056ceb"),
    NOTO + "NotoSerifCJK-Regular.ttc":
        ("fonts-noto-cjk", "a04178ec485dffdff7cc0c0c20e1fce9202d7e2160d805e8e44a4c8841c58481"),
    NOTO + "NotoSerifCJK-Bold.ttc":
        ("fonts-noto-cjk", "a5d4b046c127da3d7c72f98b46c41489cd29bf52abfdf18aba920903e920d4ac"),
    "truetype/arphic/ukai.ttc":
        ("fonts-arphic-ukai", "cfc758e69386a21bade8cb3b373fda20d7f2fac6e8904ced2ded98588b63e274"),
    "truetype/dejavu/DejaVuSans.ttf":
        ("fonts-dejavu-core", "abdc775b21b1bc470d50c97e790d276f2054b7504e56e5bd3e64f48d68582322"),
    "truetype/dejavu/DejaVuSans-Bold.ttf":
        ("fonts-dejavu-core", "0d977336a6d5fba34eab8e3199eb218327161b5143749f802982c2bc34df0c96"),
    "truetype/dejavu/DejaVuSansMono.ttf":
        ("fonts-dejavu-core", "0f5db4f1749979d961019838b160bec74abdf7f9eca69553fe1aa856bbff49a4"),
    LIBERATION + "LiberationSerif-Regular.ttf":
        ("fonts-liberation", "1c9c77c2cd0f3c2d2aeef53ea50a4d5d3d684ac73a431d7c70d7864887d194a3"),
    LIBERATION + "LiberationSerif-Bold.ttf":
        ("fonts-liberation", "af228b9de767e5162168e433351b3d0e086648219c6c12ed888fba0bda3694d5"),
    LIBERATION + "LiberationSans-Regular.ttf":
        ("fonts-liberation", "f8ace1f892b2bd9dc1792ba7f097fa7588f84fed48321480e04de5390828221f"),
    LIBERATION + "LiberationSans-Bold.ttf":
        ("fonts-liberation", "361c61b82d575c5c35fd9157fda8b0194bcfcd0d88ea8521a4fb5dd53d33dddc"),
    LIBERATION + "LiberationMono-Regular.ttf":
        ("fonts-liberation", "a2e642d350acb1c5e368f375db8a4ef5a2f4ff2b79056d8c3be8bd8a7e9fcb44"),
}

# Name of the face -> file, index of the face in the collection.
FACES = {
    "sans": (NOTO + "NotoSansCJK-Regular.ttc", 2),
    "sans_bold": (NOTO + "NotoSansCJK-Bold.ttc", 2),
    "serif": (NOTO + "NotoSerifCJK-Regular.ttc", 2),
    "serif_bold": (NOTO + "NotoSerifCJK-Bold.ttc", 2),
    "sans_ja": (NOTO + "NotoSansCJK-Regular.ttc", 0),
    "serif_ja": (NOTO + "NotoSerifCJK-Regular.ttc", 0),
    "kai": ("truetype/arphic/ukai.ttc", 0),
    "dejavu": ("truetype/dejavu/DejaVuSans.ttf", 0),
    "dejavu_bold": ("truetype/dejavu/DejaVuSans-Bold.ttf", 0),
    "dejavu_mono": ("truetype/dejavu/DejaVuSansMono.ttf", 0),
    "roman": (LIBERATION + "LiberationSerif-Regular.ttf", 0),
    "roman_bold": (LIBERATION + "LiberationSerif-Bold.ttf", 0),
    "plain": (LIBERATION + "LiberationSans-Regular.ttf", 0),
    "plain_bold": (LIBERATION + "LiberationSans-Bold.ttf", 0),
    "mono": (LIBERATION + "LiberationMono-Regular.ttf", 0),
}


def check():
    """Returns (file -> SHA-256 found, complaints): one complaint for each font that is missing or differs."""
    found, complaints = {}, []
    for file, (package, wanted) in FILES.items():
        path = ROOT / file
        if not path.exists():
            complaints.append(f"{path}: missing; it is part of the Debian package {package}")
            continue
        found[file] = hashlib.sha256(path.read_bytes()).hexdigest()
        if found[file] != wanted:
            complaints.append(f"{path}: SHA-256 is {found[file]}, expected {wanted} (Debian 12's {package})")
    return found, complaints


@functools.cache
def face(name, size):
    """The font at a size in px. Uses FreeType's basic layout; Raqm would depend on system libraries."""
    file, index = FACES[name]
    return ImageFont.truetype(ROOT / file, size, index=index, layout_engine=ImageFont.Layout.BASIC)


@functools.cache
def has_glyph(name, character):
    """Whether the face has the character; compares its mask with the box drawn for missing characters."""
    font = face(name, 32)
    missing = font.getmask("\U0010FFFE")
    mask = font.getmask(character)
    return character == " " or (mask.size, bytes(mask)) != (missing.size, bytes(missing))
