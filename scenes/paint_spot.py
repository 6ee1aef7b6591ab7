#!/usr/bin/env python3
"""Paints spot.png, the coat of Spot: `scenes/paint_spot.py` from anywhere.

Every texel of the map of texture coordinates gets the place on the cow that it belongs to, and the colour of that
place: patches, muzzle, eyes, hooves and horns are round regions in space, so nothing tears at the seams of the map.
Standard library only; the picture is the same on every machine that rounds as IEEE 754 says.
"""
import math
import os
import struct
import zlib

SIZE = 512
FOLDER = os.path.dirname(os.path.abspath(__file__))
COAT, PATCH, PINK, DARK, HORN, WHITE = (240, 234, 222), (92, 60, 42), (236, 172, 160), (40, 30, 30), (214, 186, 140), (255, 255, 255)

# colour, centre, radii (m, frame of the mesh: y up, head at -z), waviness of the border; later ones lie above
REGIONS = [
    (PATCH, (0.36, 0.12, 0.32), (0.30, 0.25, 0.27), 0.18),
    (PATCH, (-0.38, 0.16, 0.05), (0.30, 0.24, 0.22), 0.18),
    (PATCH, (-0.30, -0.05, 0.78), (0.26, 0.28, 0.22), 0.18),
    (PATCH, (0.10, 0.30, 0.80), (0.22, 0.18, 0.17), 0.18),
    (PATCH, (0.36, -0.30, 0.80), (0.20, 0.15, 0.18), 0.18),
    (PATCH, (-0.28, 0.62, -0.36), (0.24, 0.24, 0.24), 0.12),
    (PATCH, (0.42, 0.70, -0.22), (0.14, 0.12, 0.14), 0.0),
    (PATCH, (0.0, -0.03, 1.06), (0.10, 0.10, 0.09), 0.0),
    (PINK, (0.0, 0.24, -0.66), (0.37, 0.20, 0.20), 0.0),
    (DARK, (0.11, 0.34, -0.68), (0.032, 0.04, 0.06), 0.0),
    (DARK, (-0.11, 0.34, -0.68), (0.032, 0.04, 0.06), 0.0),
    (WHITE, (0.235, 0.545, -0.54), (0.085, 0.095, 0.12), 0.0),
    (WHITE, (-0.235, 0.545, -0.54), (0.085, 0.095, 0.12), 0.0),
    (DARK, (0.225, 0.54, -0.57), (0.055, 0.065, 0.10), 0.0),
    (DARK, (-0.225, 0.54, -0.57), (0.055, 0.065, 0.10), 0.0),
    (HORN, (0.18, 0.95, -0.26), (0.12, 0.13, 0.12), 0.0),
    (HORN, (-0.18, 0.95, -0.26), (0.12, 0.13, 0.12), 0.0),
]
HOOF_TOP = -0.615


def cover(edge):
    """0 outside, 1 inside, a soft border; `edge` is negative outside."""
    t = min(1.0, max(0.0, edge / 0.02 + 0.5))
    return t * t * (3 - 2 * t)


def colour_at(p):
    out = list(COAT)
    for colour, centre, radii, wavy in REGIONS:
        d = [(p[k] - centre[k]) / radii[k] for k in range(3)]
        r = math.sqrt(sum(c * c for c in d))
        if r > 1.5:
            continue
        wave = wavy * (math.sin(9 * p[1] + 4 * centre[2]) * math.cos(8 * p[2] + 5 * p[0]) + 0.5 * math.sin(17 * p[2] + 11 * p[1]))
        share = cover((1 + wave - r) * min(radii))
        out = [o + share * (c - o) for o, c in zip(out, colour)]
    share = cover(HOOF_TOP - p[1])
    return [o + share * (c - o) for o, c in zip(out, DARK)]


def read_obj(path):
    places, maps, faces = [], [], []
    with open(path, encoding="ascii") as file:
        for line in file:
            words = line.split()
            if line.startswith("v "):
                places.append(tuple(map(float, words[1:4])))
            elif line.startswith("vt "):
                maps.append(tuple(map(float, words[1:3])))
            elif line.startswith("f "):
                faces.append([tuple(int(i) - 1 for i in word.split("/")[:2]) for word in words[1:4]])
    return places, maps, faces


def paint(places, maps, faces):
    pixels = [None] * (SIZE * SIZE)
    for face in faces:
        (ax, ay), (bx, by), (cx, cy) = [(maps[t][0] * SIZE - 0.5, (1 - maps[t][1]) * SIZE - 0.5) for _, t in face]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if area == 0:
            continue
        for y in range(max(0, math.floor(min(ay, by, cy)) - 1), min(SIZE, math.ceil(max(ay, by, cy)) + 2)):
            for x in range(max(0, math.floor(min(ax, bx, cx)) - 1), min(SIZE, math.ceil(max(ax, bx, cx)) + 2)):
                v = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
                w = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
                u = 1 - v - w
                inside = min(u, v, w) >= 0
                # A little beyond the border too: the filter of the renderer looks there.
                if not inside and (min(u, v, w) < -0.6 or pixels[y * SIZE + x] is not None):
                    continue
                at = [sum(part * places[i][k] for part, (i, _) in zip((u, v, w), face)) for k in range(3)]
                pixels[y * SIZE + x] = bytes(round(c) for c in colour_at(at))
    return [pixel or bytes(COAT) for pixel in pixels]


def write_png(path, pixels):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"".join(pixels[y * SIZE:(y + 1) * SIZE]) for y in range(SIZE))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", SIZE, SIZE, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


if __name__ == "__main__":
    write_png(os.path.join(FOLDER, "spot.png"), paint(*read_obj(os.path.join(FOLDER, "spot.obj"))))
