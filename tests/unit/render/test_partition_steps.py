"""Pictures of partitions: names tell blocks apart, parts lie where their block lay, and no box is without room."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

from coarsest.reduce.partition.observed import Snapshot
from coarsest.render.picture import partition_steps
from coarsest.render.picture.partition_steps import PartitionSteps

BOX = re.compile(r'<title>(C[\d.]*): [a-z ]*</title><rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"')


def boxes(picture: str) -> dict[str, tuple[float, ...]]:
    found = BOX.findall(picture)
    assert len({name for name, *_ in found}) == len(found)
    return {name: tuple(map(float, place)) for name, *place in found}


def snapshot(blocks: list[frozenset[int]]) -> Snapshot[frozenset[int]]:
    every = frozenset(range(len(blocks)))
    return Snapshot(tuple(blocks), every, every)


def test_random_splits() -> None:
    random = Random(5)
    steps = PartitionSteps[frozenset[int]]()
    blocks = [frozenset(range(i * 100, i * 100 + 100)) for i in range(12)]
    steps(snapshot(blocks))
    for _ in range(40):
        chosen = random.randrange(len(blocks))
        number = random.choice([2, 3, 11])
        parts = [frozenset(state for state in blocks[chosen] if state % number == rest) for rest in range(number)]
        blocks = [*blocks[:chosen], *filter(None, parts), *blocks[chosen + 1 :]]
        random.shuffle(blocks)
        steps(snapshot(blocks))
    drawn = [boxes(picture) for picture in steps.pictures]
    assert len(drawn) == 41 and len(drawn[-1]) == len(blocks) > 60
    for places in drawn:
        assert abs(sum(width * height for _, _, width, height in places.values()) - 640 * 400) < 1000
    for earlier, later in pairwise(drawn):
        for name, place in later.items():
            parent = max((other for other in earlier if name.startswith(other)), key=len)
            left, top, width, height = earlier[parent]
            assert left - 0.2 <= place[0] and place[0] + place[2] <= left + width + 0.2
            assert top - 0.2 <= place[1] and place[1] + place[3] <= top + height + 0.2


def test_one_state_after_the_other() -> None:
    """As deep as can be."""
    steps = PartitionSteps[frozenset[int]]()
    for number in range(partition_steps.MOST_PICTURES + 1):
        steps(snapshot([frozenset(range(number, 1000)), *(frozenset([state]) for state in range(number))]))
    assert len(steps.pictures) == partition_steps.MOST_PICTURES and not steps.complete
    assert len(boxes(steps.pictures[-1])) == partition_steps.MOST_PICTURES


def test_blocks_that_are_not_accessible_stay_in_sight() -> None:
    steps = PartitionSteps[frozenset[int]]()
    steps(snapshot([frozenset([1, 2]), frozenset([3])]))
    steps(snapshot([frozenset([1]), frozenset([2])]))
    first, second = steps.pictures
    assert ">not accessible<" not in first and ">not accessible<" in second
    assert set(boxes(second)) == {"C11", "C12", "C2"}


def test_too_many_blocks() -> None:
    steps = PartitionSteps[frozenset[int]]()
    steps(snapshot([frozenset(range(5000))]))
    steps(snapshot([frozenset([state]) for state in range(5000)]))
    assert len(steps.pictures) == 1 and not steps.complete
