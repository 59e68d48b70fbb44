"""Colours for the groups of a picture: pale, so that black text stays readable on them."""

from __future__ import annotations

import colorsys

from coarsest.render.picture.picture import Node, Picture

SHADES = ("#d7e8f7", "#fbe3cd", "#d5efdc", "#f3d9ea", "#fdf3c4", "#dcdcf5", "#d3f0ef", "#f7d6d6", "#e9e5d3", "#e3f0c6")
TURN = 0.381966
"""Of the colour circle: no few multiples of it are close to one another."""


def shade(number: int) -> str:
    """A colour for the group of this number."""
    if number < len(SHADES):
        return SHADES[number]
    red, green, blue = colorsys.hls_to_rgb(number * TURN % 1, 0.89, 0.6)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def shade_of(picture: Picture, node: Node) -> str:
    """The colour of a node: that of its group, or white."""
    for number, group in enumerate(picture.groups):
        if group.key == node.group:
            return shade(number)
    return "#ffffff"
