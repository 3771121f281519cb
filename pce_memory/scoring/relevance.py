"""Whether what was found answers a query (seed 000 §3.5, after corrective RAG)."""

import math
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.domain.ranking import CRAGScore, Relevance
from pce_memory.errors.search import InvalidScore
from pce_memory.scoring.given import number_of, seen

CORRECT: Final = 0.7
INCORRECT: Final = 0.3

SLOPE: Final = 6.53
MIDDLE: Final = 0.316


def calculate_crag_score(
    relevance_score: float, confidence_score: float
) -> Result[CRAGScore, InvalidScore]:
    """Return the verdict on a relevance in [0, 1]: from 0.7 correct, to 0.3 incorrect.

    >>> calculate_crag_score(0.7, 0.9).unwrap().relevance
    'correct'
    >>> calculate_crag_score(0.3, 0.9).unwrap().relevance
    'incorrect'
    """
    return Result.do(
        _verdict(verdict_of(relevance), confidence)
        for relevance in _share("relevance_score", relevance_score)
        for confidence in _share("confidence_score", confidence_score)
    )


def _verdict(verdict: Relevance, confidence: float) -> CRAGScore:
    return CRAGScore(verdict, confidence, needs_web_search=verdict != "correct")


def _share(name: str, given: object) -> Result[float, InvalidScore]:
    number = number_of(given)
    if number is None or not 0.0 <= number <= 1.0:
        return Failure(InvalidScore(name, seen(given)))
    return Success(number)


def verdict_of(relevance: float) -> Relevance:
    """Return the verdict on a relevance; both lines belong to what they end."""
    if relevance >= CORRECT:
        return "correct"
    return "incorrect" if relevance <= INCORRECT else "ambiguous"


def calibrated(relevance: float) -> float:
    """Return how often an item of this relevance is among the first five that answer, 0 to 1.

    A logistic curve over the relevance of the second stage; `benchmarks/learn_crag.py` has what
    it was fitted on and how far it is right.

    >>> round(calibrated(0.0), 2), round(calibrated(0.316), 2), round(calibrated(0.6), 2)
    (0.11, 0.5, 0.86)
    """
    return 1.0 / (1.0 + math.exp(-SLOPE * (relevance - MIDDLE)))
