"""Who goes when: AB, BA, AB, ... so that drift meets both alike."""


def rounds(count, a, b):
    """Calls a() and b() `count` times each; the values of both, in order."""
    values = ([], [])
    for number in range(count):
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            values[side].append((a, b)[side]())
    return values
