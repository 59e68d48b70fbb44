"""The relations by which models are reduced, and those on whose quotients properties are decided."""

from types import MappingProxyType

FAIR_SIMULATIONS = ("direct", "delay")
MODELS_REDUCED_BY = MappingProxyType(
    {
        "bisimulation": "states that answer each other's steps, for ever",
        "simulation": "states that simulate each other; fewer classes, fewer formulas are preserved",
        "direct": "the same, with fair states answered by fair states",
        "delay": "the same, with fair states answered at once or later",
        "symmetry": "states that symmetries of the model exchange",
    }
)
"""The relations by which models are reduced; some know what is fair."""
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
        "direct": "the same, with fair states answered by fair states",
        "delay": "the same, with fair states answered by fair states at once or later",
        "symmetry": "on representatives of states that symmetries exchange",
        "modular": "on its quotient by bisimulation, composed of the model's parts, which are reduced one by one",
    }
)
