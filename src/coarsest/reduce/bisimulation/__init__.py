"""Bisimulation: from a state space to the smallest system that an observer cannot tell from it."""
