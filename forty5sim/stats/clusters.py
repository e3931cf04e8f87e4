"""The mean of values that come in clusters, such as the deals of one session.

Deals that share a carried-over pool or a match are not independent: the session is the cluster.
Clusters of one size are better summed up by ``estimate``; here sizes may differ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from forty5sim.errors import RunError
from forty5sim.stats.estimates import LEVEL
from forty5sim.stats.extras import FloatArray, load_extra


@dataclass(frozen=True)
class ClusteredMean:
    """A mean of clustered values with its standard error.

    Attributes:
        mean: the mean over all values, in the unit of the values.
        n: the number of values.
        clusters: the number of clusters.
        se_iid: the standard error if all values were independent.
        se: the cluster-robust standard error (CR1); nan for fewer than two clusters.
        icc: the intra-cluster correlation by analysis of variance; nan where every cluster has one
            value or no value differs.
        design_effect: 1 + (m - 1) icc, where m is the size of the cluster of a value drawn at
            random: how many times as many values are needed as if they were independent.
        half_width: half the width of the interval, with t on clusters - 1 degrees of freedom.
    """

    mean: float
    n: int
    clusters: int
    se_iid: float
    se: float
    icc: float
    design_effect: float
    half_width: float


def clustered_mean(values: ArrayLike, clusters: ArrayLike, level: float = LEVEL) -> ClusteredMean:
    """Return the mean of clustered values with its cluster-robust standard error.

    The standard error is CR1 of statsmodels (Liang and Zeger 1986, times G / (G - 1)); for clusters
    of equal size it is that of the cluster means.

    Args:
        values: shape (n,), one number for each deal.
        clusters: shape (n,), the label of the cluster of each deal, of any sortable type.
        level: the level of the interval.

    Raises:
        RunError: the shapes do not fit, there are no values, or statsmodels is missing.
    """
    data, labels = np.asarray(values, dtype=np.float64), np.asarray(clusters)
    if data.ndim != 1 or data.shape != labels.shape or data.size == 0:
        raise RunError(
            "values and clusters must be two lists of one length of at least 1, "
            f"got the shapes {data.shape!r} and {labels.shape!r}"
        )
    codes = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    sizes = np.bincount(codes)
    se_iid, se = _standard_errors(data, codes)
    icc = _anova_icc(data, codes)
    quantile = float(stdtrit(sizes.size - 1, (1 + level) / 2)) if sizes.size > 1 else math.nan
    design_effect = 1 + (float((sizes**2).sum() / data.size) - 1) * icc
    return ClusteredMean(
        float(data.mean()), data.size, sizes.size, se_iid, se, icc, design_effect, quantile * se
    )


def _standard_errors(data: FloatArray, codes: NDArray[np.int64]) -> tuple[float, float]:
    """Return the standard error for independent values and CR1."""
    if data.size < 2:
        return math.nan, math.nan
    models = load_extra("statsmodels.regression.linear_model", "clustered errors")
    model = models.OLS(data, np.ones(data.size))
    se_iid = float(model.fit().bse[0])
    if codes.max() == 0:
        return se_iid, math.nan
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": codes}, use_t=True)
    return se_iid, float(fit.bse[0])


def _anova_icc(data: FloatArray, codes: NDArray[np.int64]) -> float:
    """Return the intra-cluster correlation by one-way analysis of variance (Donner 1986)."""
    sizes = np.bincount(codes)
    n, groups = data.size, sizes.size
    if groups < 2 or groups == n:
        return math.nan
    means = np.bincount(codes, weights=data) / sizes
    between = float((sizes * (means - data.mean()) ** 2).sum()) / (groups - 1)
    within = float(((data - means[codes]) ** 2).sum()) / (n - groups)
    usual_size = (n - float((sizes**2).sum()) / n) / (groups - 1)
    total = between + (usual_size - 1) * within
    return (between - within) / total if total > 0 else math.nan
