"""Operators of networks, drawn from a seed with shapes that nobody chose: `FAMILIES` maps a name to a function that
takes a `Draw` and a `Graph` and answers the graph's output or outputs."""
from . import convolutions, graph, movement, products, rows, windows

FAMILIES = {
    name: family
    for module in (convolutions, windows, products, rows, movement)
    for name, family in module.FAMILIES.items()
}
