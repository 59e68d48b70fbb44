"""Büchi automata as RABIT and GOAL read them (`.ba`)."""
