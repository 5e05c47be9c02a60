# Reads the pictures that Headcount writes (8 bits a channel, not interlaced), as far as tests need; no other PNG.
import pathlib
import struct
import zlib


def read_png(path):
    """Width, height and the rows as stored: still filtered, so that two pictures by one writer can be compared and
    an empty one be told from a drawn one. Raises ValueError for a damaged file."""
    data = pathlib.Path(path).read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError(f"{path} is not a PNG")
    at, header, packed, kind = 8, None, b"", b""
    while at < len(data) and kind != b"IEND":
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if zlib.crc32(kind + body) != struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]:
            raise ValueError(f"{path}: a chunk is damaged")
        header = struct.unpack(">IIBBBBB", body) if kind == b"IHDR" else header
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    width, height, depth, colour, _, _, interlaced = header
    if depth != 8 or colour not in (2, 6) or interlaced:
        raise ValueError(f"{path}: not a form that Headcount writes")
    raw, stride = zlib.decompress(packed), 1 + width * (3 if colour == 2 else 4)
    if len(raw) != stride * height:
        raise ValueError(f"{path}: {len(raw)} bytes of pixels where {stride * height} belong")
    return width, height, [raw[y * stride:(y + 1) * stride] for y in range(height)]
