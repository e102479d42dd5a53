"""The statistics of docs/measurement.md, "Benchmarks of our own": ratios of geometric means with Welch intervals
on logarithms, and means with Student's."""
import dataclasses
import math
import statistics

CONFIDENCE = 0.95


@dataclasses.dataclass(frozen=True)
class Interval:
    value: float
    low: float
    high: float

    def map(self, function):
        """For an increasing function."""
        return Interval(function(self.value), function(self.low), function(self.high))


def continued_fraction(a, b, x):
    """Of the incomplete beta function, by Lentz's method (Press et al., Numerical Recipes, 6.4)."""
    tiny = 1e-300
    c, d = 1.0, 1.0 / max(1.0 - (a + b) * x / (a + 1.0), tiny)
    value = d
    for m in range(1, 1000):
        for numerator in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                          -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d, c = 1.0 + numerator * d, 1.0 + numerator / c
            d, c = 1.0 / (d if abs(d) > tiny else tiny), c if abs(c) > tiny else tiny
            value *= d * c
        if abs(d * c - 1.0) < 1e-15:
            return value
    raise ArithmeticError(f"the incomplete beta function of {a}, {b}, {x} does not converge")


def regularised_beta(a, b, x):
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
                     + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * continued_fraction(a, b, x) / a
    return 1.0 - front * continued_fraction(b, a, 1.0 - x) / b


def student_t_probability(t, freedom):
    """P(T <= t) for t >= 0; `freedom` need not be whole."""
    return 1.0 - 0.5 * regularised_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))


def student_t_quantile(probability, freedom):
    """For probabilities from 0.5 on, by bisection."""
    high = 1.0
    while student_t_probability(high, freedom) < probability:
        high *= 2.0
    low = 0.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2.0
        if student_t_probability(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return high


def welch(a, b, confidence=CONFIDENCE):
    """mean(a) - mean(b); B. L. Welch, Biometrika 34 (1947). At least two values each, unless all are one."""
    difference = statistics.fmean(a) - statistics.fmean(b)
    if len(a) < 2 or len(b) < 2:
        return Interval(difference, -math.inf, math.inf)
    va, vb = statistics.variance(a) / len(a), statistics.variance(b) / len(b)
    if va + vb == 0.0:
        return Interval(difference, difference, difference)
    freedom = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
    half = student_t_quantile((1.0 + confidence) / 2.0, freedom) * math.sqrt(va + vb)
    return Interval(difference, difference - half, difference + half)


def ratio(a, b, confidence=CONFIDENCE):
    """Geometric mean of a / geometric mean of b."""
    logarithms = ([math.log(value) for value in values] for values in (a, b))
    return welch(*logarithms, confidence).map(math.exp)


def mean(values, confidence=CONFIDENCE):
    """With Student's interval."""
    center = statistics.fmean(values)
    if len(values) < 2:
        return Interval(center, -math.inf, math.inf)
    half = (student_t_quantile((1.0 + confidence) / 2.0, len(values) - 1)
            * statistics.stdev(values) / math.sqrt(len(values)))
    return Interval(center, center - half, center + half)
