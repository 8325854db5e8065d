"""PNG, JPEG and other pictures of pixels: regions of flat colours, with lines, texts and units painted over.

Pixels of one colour that hang together are a region, unless they are thin (lines and texts), specks, or copies of one
small outline (symbols). All other pixels go to the nearest region. Every border runs along the edges of pixels, once.
"""

import io
import struct
import warnings
import zlib
from collections import defaultdict
from typing import Any

import numpy as np
import shapely
from PIL import Image, ImageFilter, UnidentifiedImageError

from plenipo.boards_in.pictures.colours import oklab
from plenipo.boards_in.pictures.drawing import Drawing, Shape
from plenipo.boards_in.source_files import fault_at
from plenipo.engine.sentences import say

__all__ = ["read_pixels"]

MOST_PIXELS = 30_000_000
"""The most pixels of a picture."""

SMALLEST_SIDE = 64
"""The least width and height of a picture in pixels."""

FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP")

FLAT, NOISY = 0.035, 0.06
"""Colours this near are one: in a picture as it was painted, and in one with the noise of JPEG."""

MOST_COLOURS = 200
"""The most flat colours that are distinguished."""

SPECK = 1 / 250
"""Pieces below this share of a typical region are no region."""

SYMBOL = 1 / 4
"""Copies of one outline below this share of a typical region are symbols."""

FRAGMENT, CRUMB = 1 / 6, 1 / 25
"""A region below the first share of a typical one may be a fragment of another, below the second it is one."""

NECK = 0.25
"""A fragment and its region share less than this part of its rim."""

WRITTEN = 6
"""Texts and symbols in a region cover at least so many pixels."""

THIN = 0.12
"""A piece is thin if no more than this share of it lies away from its rim."""

BROKEN = (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error)
"""The errors of the library for a file that is no picture, or a broken one."""

Array = Any


def read_pixels(content: bytes, path: str) -> Drawing:
    """Return the regions of a picture as shapes with colours; raise `InvalidBoardFile`."""
    pixels, noisy = _decode(content, path)
    height, width = pixels.shape[:2]
    classes, colours = _classes(pixels, NOISY if noisy else FLAT)
    pieces, sizes = _components(classes)
    first = np.zeros(len(sizes), np.int64)
    first[pieces.ravel()[::-1]] = np.arange(pieces.size)[::-1]
    colour_of = classes.ravel()[first]
    solid = (colour_of > 0) & (_core(pieces, max(1, round(max(width, height) / 1_000)), len(sizes)) > THIN * sizes)
    typical = _typical(sizes[solid])
    solid &= sizes >= max(typical * SPECK, 9)
    boxes = _boxes(pieces, len(sizes))
    symbols = _symbols(solid, sizes, boxes, colour_of, typical)
    kept = np.flatnonzero(solid & ~symbols)
    if len(kept) < 2:
        raise fault_at(path, 0, say("no flat regions were found in it."))
    number = np.zeros(len(sizes), np.int32)
    number[kept] = np.arange(1, len(kept) + 1)
    regions = _grow(number[pieces])
    regions = _join_fragments(regions, number[pieces], colour_of[kept], typical)
    shapes = [
        Shape(geometry, closed=True, fill=colours[int(colour_of[kept[label - 1]]) - 1])
        for label, geometry in sorted(_outlines(regions).items())
    ]
    for piece in np.flatnonzero(symbols).tolist():
        left, top, right, bottom = boxes[piece].tolist()
        word = f"pixels {colours[int(colour_of[piece]) - 1]} {round((right - left) / 8)} {round((bottom - top) / 8)}"
        shapes.append(Shape(shapely.box(left, top, right + 1, bottom + 1), closed=True, symbol=word))
    return Drawing(tuple(shapes), (), (0.0, 0.0, float(width), float(height)), grain=1.0)


def _decode(content: bytes, path: str) -> tuple[Array, bool]:
    """Return the pixels, and whether their colours have the noise of JPEG; sizes are checked before decoding."""
    unreadable = say("this is not a picture that can be read.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(content), formats=FORMATS)
    except Image.DecompressionBombError as fault:
        why = say("it has more than {number} million pixels.", number=MOST_PIXELS // 1_000_000)
        raise fault_at(path, 0, why) from fault
    except BROKEN as fault:
        raise fault_at(path, 0, unreadable) from fault
    if image.width * image.height > MOST_PIXELS:
        raise fault_at(path, 0, say("it has more than {number} million pixels.", number=MOST_PIXELS // 1_000_000))
    if min(image.size) < SMALLEST_SIDE:
        raise fault_at(path, 0, say("it is smaller than {number} pixels.", number=SMALLEST_SIDE))
    noisy = image.format in ("JPEG", "WEBP")
    try:
        whole = image.convert("RGBA")
    except BROKEN as fault:
        raise fault_at(path, 0, unreadable) from fault
    picture = Image.alpha_composite(Image.new("RGBA", whole.size, "white"), whole).convert("RGB")
    if noisy:
        picture = picture.filter(ImageFilter.MedianFilter(3))
    return np.asarray(picture), noisy


def _classes(pixels: Array, near: float) -> tuple[Array, list[str]]:
    """Return for each pixel the number of its flat colour, 0 for none, and the colours from 1 on."""
    packed = pixels[..., 0].astype(np.int32) << 16 | pixels[..., 1].astype(np.int32) << 8 | pixels[..., 2]
    if near > FLAT:
        packed = packed & 0xF8F8F8 | 0x040404
    known, back, counts = np.unique(packed, return_inverse=True, return_counts=True)
    least = max(30, packed.size * 3e-5)
    colours: list[str] = []
    places: list[tuple[float, float, float]] = []
    for i in np.argsort(-counts, kind="stable").tolist():
        if counts[i] < least or len(colours) >= MOST_COLOURS:
            break
        colour = f"#{int(known[i]):06x}"
        at = oklab(colour)
        if not places or min(((np.array(places) - at) ** 2).sum(axis=1)) > near**2:
            colours.append(colour)
            places.append(at)
    away = np.full(len(known), np.inf)
    best = np.zeros(len(known), np.int32)
    lab = _oklab_of(known)
    for number, at in enumerate(places, 1):
        far = ((lab - np.array(at)) ** 2).sum(axis=1)
        closer = far < away
        away[closer], best[closer] = far[closer], number
    best[away > near**2] = 0
    return best[back.reshape(packed.shape)], colours


def _oklab_of(packed: Array) -> Array:
    """Return the OKLab values of many colours."""
    share = np.stack([packed >> 16 & 255, packed >> 8 & 255, packed & 255], axis=1) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    axes = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    return np.cbrt(linear @ cones.T) @ axes.T


def _components(classes: Array) -> tuple[Array, Array]:
    """Return for each pixel the number of its piece (pixels of one class that share sides), and the sizes."""
    starts = np.ones(classes.shape, bool)
    starts[:, 1:] = classes[:, 1:] != classes[:, :-1]
    runs = (np.cumsum(starts.ravel()) - 1).reshape(classes.shape)
    same = classes[1:] == classes[:-1]
    above, below = runs[:-1][same], runs[1:][same]
    total = int(runs[-1, -1]) + 1
    pairs = np.unique(above.astype(np.int64) * total + below)
    above, below = pairs // total, pairs % total
    parent = np.arange(total)
    while True:
        one, other = parent[above], parent[below]
        low, high = np.minimum(one, other), np.maximum(one, other)
        open_pairs = low < high
        if not open_pairs.any():
            break
        np.minimum.at(parent, high[open_pairs], low[open_pairs])
        while (parent[parent] != parent).any():
            parent = parent[parent]
    _, numbers = np.unique(parent, return_inverse=True)
    pieces = numbers[runs]
    return pieces, np.bincount(pieces.ravel())


def _core(pieces: Array, radius: int, count: int) -> Array:
    """Return how many pixels of each piece have only pixels of it around them, up to a distance."""
    inner = np.ones(pieces.shape, bool)
    for step in range(1, radius + 1):
        for axis in (0, 1):
            ahead = np.roll(pieces, step, axis) == pieces
            behind = np.roll(pieces, -step, axis) == pieces
            inner &= ahead & behind
    return np.bincount(pieces[inner], minlength=count)


def _typical(sizes: Array) -> float:
    """Return the median size of the largest pieces that make up nearly all of the picture."""
    ordered = np.sort(sizes)[::-1]
    if not len(ordered):
        return 0.0
    enough = int(np.searchsorted(np.cumsum(ordered), 0.97 * ordered.sum())) + 1
    return float(np.median(ordered[:enough]))


def _boxes(pieces: Array, count: int) -> Array:
    """Return left, top, right and bottom of each piece."""
    height, width = pieces.shape
    boxes = np.empty((count, 4), np.int64)
    boxes[:, :2], boxes[:, 2:] = max(height, width), -1
    flat = pieces.ravel()
    rows = np.repeat(np.arange(height), width)
    columns = np.tile(np.arange(width), height)
    np.minimum.at(boxes[:, 0], flat, columns)
    np.minimum.at(boxes[:, 1], flat, rows)
    np.maximum.at(boxes[:, 2], flat, columns)
    np.maximum.at(boxes[:, 3], flat, rows)
    return boxes


def _symbols(solid: Array, sizes: Array, boxes: Array, colour_of: Array, typical: float) -> Array:
    """Tell which pieces are copies of one small outline of one colour."""
    small = np.flatnonzero(solid & (sizes < SYMBOL * typical))
    extent = boxes[:, 2:] - boxes[:, :2]
    found = np.zeros(len(sizes), bool)
    for piece in small.tolist():
        alike = (
            (colour_of[small] == colour_of[piece])
            & (abs(extent[small] - extent[piece]).max(axis=1) <= 2)
            & (abs(sizes[small] - sizes[piece]) < 0.25 * sizes[piece])
        )
        found[piece] = alike.sum() > 2
    return found


def _grow(labels: Array) -> Array:
    """Give every pixel without a label that of the nearest one, step by step."""
    height, width = labels.shape
    padded = np.zeros((height + 2, width + 2), labels.dtype)
    padded[1:-1, 1:-1] = labels
    inside = np.zeros(padded.shape, bool)
    inside[1:-1, 1:-1] = True
    flat = padded.ravel()
    left = np.flatnonzero((flat == 0) & inside.ravel())
    steps = (1, -1, width + 2, -width - 2)
    turn = 0
    while len(left):
        best = np.zeros(len(left), flat.dtype)
        for step in (*steps[turn:], *steps[:turn]):
            best = np.where(best == 0, flat[left + step], best)
        flat[left[best > 0]] = best[best > 0]
        left = left[best == 0]
        turn = (turn + 1) % 4
    return flat.reshape(padded.shape)[1:-1, 1:-1]


def _join_fragments(regions: Array, seen: Array, colour_of: Array, typical: float) -> Array:
    """Give small regions in which nothing is written to a neighbour, if something is written in nearly all others.

    A narrow neck of land vanishes below the strokes of its two shores, and what lies behind it is no space of its own.
    """
    count = len(colour_of)
    sizes = np.bincount(regions.ravel(), minlength=count + 1)[1:]
    inner = np.ones(regions.shape, bool)
    for step in (1, 2, 4):
        for axis in (0, 1):
            inner &= (np.roll(regions, step, axis) == regions) & (np.roll(regions, -step, axis) == regions)
    written = np.bincount(regions[inner & (seen == 0)], minlength=count + 1)[1:] >= WRITTEN
    small = sizes < FRAGMENT * typical
    if written.sum() < 0.5 * count or not (small & ~written).any():
        return regions
    borders: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for one, other in ((regions[1:], regions[:-1]), (regions[:, 1:], regions[:, :-1])):
        apart = one != other
        pairs, lengths = np.unique(np.stack([one[apart], other[apart]]), axis=1, return_counts=True)
        for (a, b), length in zip(pairs.T.tolist(), lengths.tolist(), strict=True):
            borders[a][b] += length
            borders[b][a] += length
    into = np.arange(count + 1)
    for label in (np.flatnonzero(small & ~written) + 1).tolist():
        near = borders[label]
        necks = {
            other: length
            for other, length in near.items()
            if colour_of[other - 1] == colour_of[label - 1] and length < NECK * sum(near.values())
        }
        if necks or sizes[label - 1] < CRUMB * typical:
            best = necks or near
            into[label] = max(best, key=best.__getitem__)
    into = into[into]
    joined: Array = into[regions]
    return joined


def _outlines(labels: Array) -> dict[int, Any]:
    """Return the area of each label, its border along the edges of pixels."""
    height, width = labels.shape
    padded = np.zeros((height + 2, width + 2), np.int64)
    padded[1:-1, 1:-1] = labels
    segments = [_cracks(padded, turned=False), _cracks(padded.T, turned=True)]
    lines = shapely.linestrings(np.concatenate(segments))
    cells = shapely.get_parts(shapely.polygonize(lines))
    points = shapely.get_coordinates(shapely.point_on_surface(cells))
    owners = padded[np.floor(points[:, 1]).astype(int) + 1, np.floor(points[:, 0]).astype(int) + 1]
    found: dict[int, list[Any]] = defaultdict(list)
    for owner, cell in zip(owners.tolist(), cells.tolist(), strict=True):
        if owner:
            found[owner].append(cell)
    return {owner: shapely.coverage_union_all(parts) for owner, parts in found.items()}


def _cracks(padded: Array, *, turned: bool) -> Array:
    """Return the straight pieces of all borders between rows, as pairs of points."""
    above, below = padded[:-1], padded[1:]
    pair = np.where(above != below, above * (int(padded.max()) + 1) + below, -1)
    edge = np.zeros((pair.shape[0], pair.shape[1] + 1), bool)
    edge[:, 1:-1] = pair[:, 1:] != pair[:, :-1]
    edge[:, 0] = edge[:, -1] = True
    rows, columns = np.nonzero(edge)
    same = rows[1:] == rows[:-1]
    row, start, end = rows[:-1][same], columns[:-1][same], columns[1:][same]
    drawn = pair[row, start] >= 0
    along = np.stack([start[drawn] - 1, row[drawn], end[drawn] - 1, row[drawn]], axis=1).reshape(-1, 2, 2)
    return along[..., ::-1] if turned else along
