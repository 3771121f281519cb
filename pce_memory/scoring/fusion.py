"""Join the scores of the lanes."""


def hybrid_fusion(s_text: float, s_vec: float, alpha: float) -> float:
    """Return S = alpha * s_vec + (1 - alpha) * s_text, all in [0, 1]; a missing side counts 0.

    >>> round(hybrid_fusion(0.55, 0.91, 0.65), 4)
    0.784
    >>> hybrid_fusion(1.0, 0.0, 0.65)
    0.35
    """
    return alpha * s_vec + (1.0 - alpha) * s_text
