"""Frames of spec/protocol.md."""

import json
import struct

START = struct.Struct("<4sIQ")
MOST_HEADER = 1 << 24
MOST_BODY = 1 << 34


class BadFrame(Exception):
    """What came is no frame."""


def read_exactly(stream, size):
    data = stream.read(size)
    if len(data) != size:
        raise BadFrame(f"the input ends {size - len(data)} bytes before its frame does")
    return data


def receive(stream):
    """The header and the body of the next frame; None at the end of the input."""
    start = stream.read(START.size)
    if not start:
        return None
    if len(start) != START.size:
        raise BadFrame("the input ends in the first 16 bytes of a frame")
    magic, header, body = START.unpack(start)
    if magic != b"ASSY":
        raise BadFrame(f"a frame begins with {magic!r}, but must begin with b'ASSY'")
    if not 2 <= header <= MOST_HEADER or body > MOST_BODY:
        raise BadFrame(f"a frame has {header} bytes of header and {body} of body, but must have "
                       "2 to 2^24 and at most 2^34")
    try:
        fields = json.loads(read_exactly(stream, header))
    except (ValueError, RecursionError) as error:
        raise BadFrame(f"the header is no JSON: {error}") from None
    if not isinstance(fields, dict):
        raise BadFrame("the header is no JSON object")
    return fields, read_exactly(stream, body)


def send(stream, header, body=b""):
    text = json.dumps(header).encode()
    stream.write(START.pack(b"ASSY", len(text), len(body)) + text)
    stream.write(body)
    stream.flush()
