"""Calls of the machine code of kernels, with the addresses of arrays. They need nothing but ctypes.

A kernel has the signature that Numba gives to functions: where the result goes, where a reason for failure goes, and the
arguments. An array becomes two owners (nobody), the number of its elements, their size, its address, and for each dimension the
length and the distance of neighbours.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from functools import cache
from math import prod
from typing import Any

from coarsest._kernels.columns import NUMBERS, Column, allocator


def kind_of(argument: Any) -> str:
    """The kind of an argument; a kernel is compiled for certain kinds of its arguments.

    >>> import numpy as np
    >>> kind_of(np.zeros((2, 3), dtype=np.int32)), kind_of(np.zeros(4)[::2]), kind_of(7), kind_of(True)
    ('i4.2C', 'f8.1A', 'i8', 'b1')
    """
    if isinstance(argument, Column):
        return argument.kind
    if isinstance(argument, (bool, int)):
        return "b1" if isinstance(argument, bool) else "i8"
    import numpy as np

    if isinstance(argument, np.ndarray):
        return f"{argument.dtype.str[1:]}.{argument.ndim}{'C' if argument.flags.c_contiguous else 'A'}"
    if isinstance(argument, np.bool_):
        return "b1"
    return "f8" if isinstance(argument, (float, np.floating)) else "u8" if isinstance(argument, np.uint64) else "i8"


def caller(address: int, kinds: Sequence[str], result: str) -> Callable[..., Any]:
    """The function at an address, for arguments of these kinds."""
    types = [part for kind in kinds for part in _argument_types(kind)]
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, *types)(address)
    room_type = _result_type(result)

    def call(*arguments: Any) -> Any:
        room, reason = room_type(), ctypes.c_void_p()
        flat = [part for argument in arguments for part in _flattened(argument)]
        if function(ctypes.addressof(room), ctypes.addressof(reason), *flat) > 0:
            raise MemoryError("a kernel could not go on")
        return _value(result, room.value, arguments)

    return call


def _argument_types(kind: str) -> list[Any]:
    number, _, shape = kind.partition(".")
    if not shape:
        return [NUMBERS[number]]
    return [ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * 2, ctypes.c_void_p, *[ctypes.c_int64] * (2 * int(shape[0]))]


def _flattened(argument: Any) -> tuple[Any, ...]:
    if isinstance(argument, Column):
        lengths = argument.shape
        strides = (argument.width,) if len(lengths) == 1 else (argument.width * lengths[1], argument.width)
        return None, None, prod(lengths), argument.width, argument.address, *lengths, *strides
    if isinstance(argument, (bool, int)):
        return (argument,)
    import numpy as np

    if isinstance(argument, np.ndarray):
        address = argument.__array_interface__["data"][0]
        return None, None, argument.size, argument.itemsize, address, *argument.shape, *argument.strides
    return (argument.item() if isinstance(argument, np.generic) else argument,)


def _parts(result: str) -> list[str]:
    """The kinds of the members of a tuple, none of which is a tuple."""
    return result[1:-1].split(",")


@cache
def _result_type(result: str) -> Any:
    """A structure whose only field is the result."""
    if not result:
        field: Any = ctypes.c_void_p
    elif result.startswith("("):
        fields = [(f"_{place}", _result_type(part)) for place, part in enumerate(_parts(result))]
        field = type("Tuple", (ctypes.Structure,), {"_fields_": fields})
    elif "." in result:
        fields = [(f"_{place}", part) for place, part in enumerate(_argument_types(result))]
        field = type("Array", (ctypes.Structure,), {"_fields_": fields})
    else:
        field = NUMBERS[result]
    return type("Result", (ctypes.Structure,), {"_fields_": [("value", field)]})


def _value(result: str, value: Any, arguments: Sequence[Any]) -> Any:
    """The result as a value of Python."""
    if not result:
        return None
    if result.startswith("("):
        return tuple(_value(part, getattr(value, f"_{place}").value, arguments) for place, part in enumerate(_parts(result)))
    return _array(result, value, arguments) if "." in result else value


def _array(kind: str, parts: Any, arguments: Sequence[Any]) -> Any:
    """An array that a kernel made, whose memory is freed when nothing refers to it any more; or the very argument, if the kernel
    returns an array that it was given."""
    import numpy as np

    number, _, shape = kind.partition(".")
    dimensions = int(shape[0])
    owner, _, size, width, address, *rest = (getattr(parts, name) for name, _ in parts._fields_)
    if owner is None:
        return next(array for array in arguments if isinstance(array, np.ndarray) and array.ctypes.data == address)
    memory = (ctypes.c_char * (size * width)).from_address(address)
    weakref.finalize(memory, allocator()[1], owner)
    return np.ndarray(rest[:dimensions], dtype=number, buffer=memory, strides=rest[dimensions:])
