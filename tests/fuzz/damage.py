# Damages files as a disk, a careless writer or somebody hostile does. What is done depends on the random numbers alone.
import json
import struct

# At the borders of what numbers can be, and absurd as sizes.
WHOLE = [-1, 0, 1, 2**15, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53 + 1, 2**62, 2**63 - 1, 2**63, 2**64 - 1]
# As they stand in JSON, some of them not as they may; "\udcff" is the byte 0xFF, which is no UTF-8.
VALUES = ["null", "true", '""', "[]", "{}", "0.5", "-0.0", "1e308", "1e999", "-1e999", "1e-999", "NaN", "Infinity", "7" * 400,
          '"\\ud800"', '"\\u0000"', '"\\u001b[2J"', '"\udcff"', '"\udcc3"', '"' + "x" * 400_000 + '"', '"' + "\u00fc " * 50_000 + '"',
          "[" * 60 + "]" * 60, "[" * 100_000 + "]" * 100_000, '{"a":' * 100_000 + "0" + "}" * 100_000,
          "[" + "1," * 10_000 + "1]", "[" + "[]," * 500_000 + "[]]",
          "{" + ",".join(f'"{i}":{{}}' for i in range(40_000)) + "}", *map(str, WHOLE)]
BYTES = [b"\0", b"\xff", b"\xc3", b"\x80", b"\xed\xa0\x80", b"\xc0\x80", b"\x1b[2J", b"\xef\xbb\xbf", b'"', b"{", b"[", b"\n" * 1000]


def cut_short(random, data):
    return data[:random.randrange(len(data) + 1)]


def flip_bits(random, data):
    changed = bytearray(data)
    for _ in range(random.choice([1, 2, 5, 50]) if data else 0):
        changed[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return bytes(changed)


def zeros(random, data):
    begin, end = sorted(random.randrange(len(data) + 1) for _ in range(2))
    return data[:begin] + bytes(end - begin) + data[end:]


def swapped_halves(random, data):
    middle = random.choice([len(data) // 2, random.randrange(len(data) + 1)])
    return data[middle:] + data[:middle]


def odd_bytes(random, data):
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice(BYTES) + data[at + random.randrange(2):]


def repeated(random, data):
    begin, end = sorted(random.randrange(len(data) + 1) for _ in range(2))
    return data[:end] + data[begin:end] * min(random.choice([1, 10, 1000]), 2**21 // (end - begin + 1)) + data[end:]


def number_within(random, data):
    """A length, a count or an offset, where numbers of formats stand: mostly near the beginning."""
    size = random.choice([4, 8])
    places = min(len(data), random.choice([64, 4096, len(data) + 1])) - size
    if places < 1:
        return data + bytes(8)
    at = random.randrange(places) // random.choice([1, 4]) * random.choice([1, 4])
    number = random.choice([*WHOLE, struct.unpack("<Q", struct.pack("<d", float("nan")))[0], 0x7FC00000, 0x7F800000])
    return data[:at] + struct.pack("<Q", number % 2**64)[:size] + data[at + size:]


ANY = [cut_short, flip_bits, zeros, swapped_halves, odd_bytes, repeated]


def places_in(value, path=()):
    """Every place in a JSON value, as the keys that lead there."""
    yield path
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in below:
        yield from places_in(each, (*path, key))


def json_text(whole):
    return json.dumps(whole, ensure_ascii=False)


def changed_json(random, text):
    """Another value, another key, or a key twice, anywhere in a JSON text."""
    whole = json.loads(text)
    places = [place for place in places_in(whole) if place]
    if not places:
        return text.encode()
    mark = "@changed here@"
    # The places at the top are few among those of long lists.
    top = [place for place in places if len(place) <= 2]
    *way, last = random.choice(random.choice([places, top or places]))
    around = whole
    for key in way:
        around = around[key]
    old = around[last]
    what = random.randrange(4)
    number = isinstance(old, int) and not isinstance(old, bool) and random.random() < 0.7
    value = str(random.choice(WHOLE)) if number else random.choice(VALUES)
    if what < 2 or not isinstance(around, dict):
        around[last] = mark
        return json_text(whole).replace(f'"{mark}"', value, 1).encode(errors="surrogateescape")
    if what == 2:
        around[mark] = old
        return json_text(whole).replace(json.dumps(mark), json_text(last), 1).encode()
    if random.random() < 0.5:
        del around[last]
    around[random.choice(["k" * 300_000, "\x1b[2J", "", "\u00fc" * 200])] = old
    return json_text(whole).encode()


def damaged_json(random, data):
    try:
        return changed_json(random, data.decode()) if random.random() < 0.75 else random.choice(ANY)(random, data)
    except (ValueError, RecursionError):  # it is no JSON, or no longer
        return random.choice(ANY)(random, data)


def damaged_safetensors(random, data):
    size = struct.unpack("<Q", data[:8])[0]
    if random.random() < 0.5:
        return random.choice([*ANY, number_within, number_within])(random, data)
    head = damaged_json(random, data[8:8 + size])
    return struct.pack("<Q", len(head)) + head + data[8 + size:]


def damaged_binary(random, data):
    return random.choice([*ANY, *[number_within] * 6])(random, data)
