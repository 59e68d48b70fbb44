"""What operators mean on plain values of Python, one by one; shares nothing with the interpreters of the package."""

from typing import Any


def operate(op: str, args: list[Any]) -> Any:
    match op:
        case "not":
            return not args[0]
        case "neg":
            return -args[0]
        case "and":
            return all(args)
        case "or":
            return any(args)
        case "xor" | "!=":
            return args[0] != args[1]
        case "iff" | "=":
            return args[0] == args[1]
        case "implies":
            return not args[0] or args[1]
        case "atmost1":
            return sum(args) <= 1
        case "nor":
            return not any(args)
        case "<":
            return args[0] < args[1]
        case "<=":
            return args[0] <= args[1]
        case ">":
            return args[0] > args[1]
        case "+":
            return args[0] + args[1]
        case "-":
            return args[0] - args[1]
        case "*":
            return args[0] * args[1]
        case "div":  # of Lustre: the remainder is never negative, and divisors are positive
            return args[0] // args[1]
        case "mod":
            return args[0] % args[1]
    raise AssertionError(op)
