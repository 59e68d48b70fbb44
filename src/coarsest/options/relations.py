"""The relations by which models are reduced, and those on whose quotients properties are decided."""

from types import MappingProxyType

FAIR_SIMULATIONS = ("direct", "delay")
MODELS_REDUCED_BY = MappingProxyType(
    {
        "bisimulation": "states that can match each other's steps forever",
        "simulation": "states that simulate each other; this gives fewer classes and preserves fewer formulas",
        "direct": "the same, and only fair states match fair states",
        "delay": "the same, but a fair state may be matched later",
        "symmetry": "states that symmetries of the model exchange",
    }
)
"""The relations by which models are reduced; `simulation` and those below it differ in what they ask of fair states."""
QUOTIENTS = MappingProxyType(
    {
        "smallest": "steps to the largest successors only, and classes that these lead to",
        "all": "a step from class to class where all states of the class have one",
        "some": "a step from class to class where some state of the class has one",
    }
)
"""What is made of the classes of states that simulate each other."""
REDUCTIONS = MappingProxyType(
    {
        "none": "decide on the model itself",
        "bisimulation": "on its quotient by strong bisimulation",
        "simulation": "on the smallest structure that is simulation equivalent to it; not for all of CTL",
        "direct": "the same, and only fair states match fair states",
        "delay": "the same, but a fair state may be matched later",
        "symmetry": "on representatives of states that symmetries exchange",
        "modular": "on its quotient by bisimulation, composed of the model's parts, which are reduced one by one",
    }
)
