"""From kernels to object code that needs nothing but the C library.

Only processes that build the library import this module, and Numba with it. Kernels call Numba's runtime for the memory of arrays
that they make; a few functions that are compiled with them replace it. Numba leaves calls between the parts of a kernel, and
counts the owners of arrays around each call; LLVM optimises all of it once more when the whole kernel is known.
"""

from __future__ import annotations

import re
from typing import Any, Final

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.np.numpy_support import as_dtype

_types: Any = types
BEFORE_ARGUMENTS: Final = 2
"""The first parameters of a kernel say where its result goes, and where a reason for failure goes."""
OWNERS: Final = 2
"""The first parameters for an array are its two owners."""
_HOW: Any = {"nogil": True, "boundscheck": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
FROM_OUTSIDE = frozenset({"free", "madvise", "malloc", "memcpy", "memmove", "memset"})
"""The functions of the C library that a kernel may call."""
HEADER: Final = 48
"""The bytes before the elements of an array that a kernel makes. They are six words: the first counts the references to it, the
fourth says where the elements are, and the fifth how long they are."""
INLINED_SIZE: Final = 600
"""A part of a kernel that is called in several places is inlined if it is no larger than this, as LLVM measures it."""
INLINED_SIZE_IN_READER: Final = 3000
"""The limit for parts of the reader of Aldébaran texts, which are called for every line."""
READER = "coarsest._kernels.text.aut_text"
_COUNTING = re.compile(r"^define [^\n]*@NRT_(incref|decref)\(.*?^}$", re.DOTALL | re.MULTILINE)


def library_code(kernel: Any, kinds: tuple[str, ...], symbol: str, processor: str) -> tuple[str, bytes]:
    """The kind of the result, and object code in which the function has the given name."""
    machine = _library_machine(processor)
    module, result = _self_contained(kernel, kinds, symbol, machine)
    return result, machine.emit_object(module)


def constant_code(symbol: str, contents: bytes) -> bytes:
    """Object code that has constant bytes under a name."""
    module = ir.Module()
    constant = ir.GlobalVariable(module, ir.ArrayType(ir.IntType(8), len(contents)), symbol)
    constant.global_constant = True
    constant.initializer = ir.Constant(constant.value_type, bytearray(contents))
    machine = _library_machine("")
    module.triple = machine.triple
    return bytes(machine.emit_object(llvm.parse_assembly(str(module))))


def _library_machine(processor: str) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(cpu=processor, opt=3, reloc="pic", codemodel="small")


def _self_contained(kernel: Any, kinds: tuple[str, ...], symbol: str, machine: Any) -> tuple[Any, str]:
    """A module of LLVM with one function that can be called from outside, by the given name, and the kind of its result."""
    signature = tuple(map(_type_of, kinds))
    kernel = numba.njit(kernel.py_func, **_HOW)
    kernel.compile(signature)
    result = kernel.overloads[signature]
    text = _COUNTING.sub(r"declare void @NRT_\1(ptr)", str(result.library._final_module))
    module = llvm.parse_assembly(text)
    _add_runtime(module)
    _add_entry(module, module.get_function(result.fndesc.llvm_func_name), kinds, symbol)
    for part in (*module.functions, *module.global_variables):
        if not part.is_declaration and part.name != symbol:
            part.linkage = "internal"
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.inlining_threshold = INLINED_SIZE_IN_READER if kernel.py_func.__module__ == READER else INLINED_SIZE
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(module, passes)
    called = {one.name for one in (*module.functions, *module.global_variables) if one.is_declaration}
    missing = {other for other in called - FROM_OUTSIDE if not other.startswith("llvm.") or other.startswith("llvm.log")}
    if missing:
        raise RuntimeError(f"{symbol} calls {', '.join(sorted(missing))}, which only a process with Numba has")
    return module, _kind_of(result.signature.return_type)


def _add_entry(module: Any, kernel: Any, kinds: tuple[str, ...], symbol: str) -> None:
    """Add the function that is called from outside. It says that nobody owns the arguments, so that owners need not be
    counted."""
    types = [str(argument.type) for argument in kernel.arguments]
    handed_on = [f"{kind} %{place}" for place, kind in enumerate(types)]
    place = BEFORE_ARGUMENTS
    for kind in kinds:
        _, _, shape = kind.partition(".")
        if shape:
            handed_on[place : place + OWNERS] = ["ptr null"] * OWNERS
        place += OWNERS + 3 + 2 * int(shape[0]) if shape else 1
    parameters = ", ".join(f"{kind} %{place}" for place, kind in enumerate(types))
    inner = f'@"{kernel.name}"'
    text = f"""declare i32 {inner}({", ".join(types)})
define i32 @{symbol}({parameters}) {{
  %result = call i32 {inner}({", ".join(handed_on)})
  ret i32 %result
}}"""
    module.link_in(llvm.parse_assembly(text))


def _type_of(kind: str) -> Any:
    """The type that Numba has for a kind, as `native` writes them.

    >>> str(_type_of("i4.1C")), str(_type_of("b1"))
    ('array(int32, 1d, C)', 'bool')
    """
    name, _, shape = kind.partition(".")
    scalar = numba.from_dtype(np.dtype(name))
    return _types.Array(scalar, int(shape[0]), shape[1]) if shape else scalar


def _kind_of(result: Any) -> str:
    """The kind of a result: of a tuple, in brackets."""
    result = _types.unliteral(result)
    if isinstance(result, _types.NoneType):
        return ""
    if isinstance(result, _types.BaseTuple):
        return f"({','.join(map(_kind_of, result.types))})"
    if isinstance(result, _types.Array):
        return f"{_kind_of(result.dtype)}.{result.ndim}{result.layout}"
    return str(as_dtype(result).str[1:])


def _add_runtime(module: Any) -> None:
    """Define the functions of Numba's runtime that allocate an array, and free it when nothing refers to it any more.

    The functions that make the message of an error do nothing, because the return value says that a kernel failed.
    """
    word, pointer, short, nothing = ir.IntType(64), ir.IntType(8).as_pointer(), ir.IntType(32), ir.VoidType()
    runtime = ir.Module()
    malloc = ir.Function(runtime, ir.FunctionType(pointer, [word]), "malloc")
    free = ir.Function(runtime, ir.FunctionType(nothing, [pointer]), "free")
    end = ir.Function(runtime, ir.FunctionType(nothing, [pointer]), "NRT_MemInfo_call_dtor")
    code = ir.IRBuilder(end.append_basic_block())
    code.call(free, [end.args[0]])
    code.ret_void()
    make = ir.Function(runtime, ir.FunctionType(pointer, [word, short]), "NRT_MemInfo_alloc_aligned")
    code = ir.IRBuilder(make.append_basic_block())
    size, alignment = make.args[0], code.zext(make.args[1], word)
    place = code.call(malloc, [code.add(code.add(size, alignment), word(HEADER))])
    with code.if_then(code.icmp_unsigned("==", code.ptrtoint(place, word), word(0))):
        code.ret(place)
    address = code.add(code.ptrtoint(place, word), code.add(alignment, word(HEADER - 1)))
    elements = code.and_(address, code.neg(alignment))
    words = code.bitcast(place, word.as_pointer())
    for number, value in enumerate((word(1), word(0), word(0), elements, size, word(0))):
        code.store(value, code.gep(words, [word(number)]))
    code.ret(place)
    _define_counting(runtime, end)
    _define_the_rest(runtime, malloc, free)
    error = ir.GlobalVariable(runtime, ir.IntType(8), "PyExc_RuntimeError")
    error.initializer = ir.Constant(error.value_type, 0)
    text = str(runtime).replace('target triple = "unknown-unknown-unknown"\n', "").replace('target datalayout = ""\n', "")
    module.link_in(llvm.parse_assembly(text))


def _define_counting(runtime: ir.Module, end: ir.Function) -> None:
    """Count one more or one fewer reference to an array, if it has an owner. Only one thread uses an array that a kernel
    makes."""
    word, pointer, nothing = ir.IntType(64), ir.IntType(8).as_pointer(), ir.VoidType()
    for name, change in {"NRT_incref": 1, "NRT_decref": -1}.items():
        function = ir.Function(runtime, ir.FunctionType(nothing, [pointer]), name)
        function.attributes.add("alwaysinline")
        code = ir.IRBuilder(function.append_basic_block())
        with code.if_then(code.icmp_unsigned("!=", code.ptrtoint(function.args[0], word), word(0)), likely=False):
            count = code.bitcast(function.args[0], word.as_pointer())
            number = code.add(code.load(count), word(change))
            code.store(number, count)
            if change < 0:
                with code.if_then(code.icmp_unsigned("==", number, word(0))):
                    code.call(end, [function.args[0]])
        code.ret_void()


def _define_the_rest(runtime: ir.Module, malloc: ir.Function, free: ir.Function) -> None:
    """Define the functions that are called to make the message of an error."""
    word, pointer, short, nothing = ir.IntType(64), ir.IntType(8).as_pointer(), ir.IntType(32), ir.VoidType()
    for name, (result, arguments) in {
        "NRT_Allocate": (pointer, [word]), "PyObject_Hash": (word, [pointer]), "PyTuple_Pack": (pointer, [word]),
        "PyUnicode_FromKindAndData": (pointer, [short, pointer, word]), "NRT_MemInfo_alloc": (pointer, [word]),
    }.items():  # fmt: skip
        function = ir.Function(runtime, ir.FunctionType(result, arguments, var_arg=name == "PyTuple_Pack"), name)
        code = ir.IRBuilder(function.append_basic_block())
        code.ret(code.call(malloc, function.args) if name == "NRT_Allocate" else ir.Constant(result, None))
    for name, arguments in {"NRT_Free": [pointer], "PyErr_SetString": [pointer, pointer]}.items():
        function = ir.Function(runtime, ir.FunctionType(nothing, arguments), name)
        code = ir.IRBuilder(function.append_basic_block())
        if name == "NRT_Free":
            code.call(free, function.args)
        code.ret_void()
