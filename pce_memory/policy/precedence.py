"""The order of policy versions: that of SemVer, in which build metadata has no say."""


def precedence(version: str) -> tuple[tuple[int, ...], bool, tuple[tuple[bool, int, str], ...]]:
    """Return the sort key of a SemVer string: build metadata has no say.

    >>> precedence("1.0.0-rc.2") < precedence("1.0.0-rc.10") < precedence("1.0.0")
    True
    """
    core, _, pre = version.partition("+")[0].partition("-")
    parts = tuple(
        (not part.isdigit(), int(part) if part.isdigit() else 0, part)
        for part in pre.split(".")
        if part
    )
    return tuple(int(number) for number in core.split(".")), not pre, parts


def version_above(version: str) -> str:
    """Return the next version above one.

    >>> version_above("1.4.0"), version_above("2.0.0-rc.1")
    ('1.4.1', '2.0.0')
    """
    core, pre = version.partition("+")[0].partition("-")[::2]
    major, minor, patch = core.split(".")
    return core if pre else f"{major}.{minor}.{int(patch) + 1}"
