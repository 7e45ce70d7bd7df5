"""Metrics of emergent languages: pure functions on NumPy arrays.

A metric that can be undefined returns `Measured`: `float(measured)` is the number or nan, and
`measured.reason` says why it is nan. `Rounds` holds a signaling game's rounds and `summary`
measures its last ones; the other functions take arrays whose rows belong together.
"""

from babelzoo.benchmarks.metrics.baselines import (
    Baselines,
    random_code_baselines,
    shuffled_baselines,
    topographic_similarity_p,
)
from babelzoo.benchmarks.metrics.ceiling import CONTEXT_MARGIN, context_coded, decoder_ceiling
from babelzoo.benchmarks.metrics.information import (
    best_position_feature_mi,
    conditional_mutual_information,
    entropy,
    message_choice_information,
    message_context_information,
    message_target_information,
    mutual_information,
    position_feature_purity,
)
from babelzoo.benchmarks.metrics.measured import Measured, Spread, undefined
from babelzoo.benchmarks.metrics.rounds import (
    Rounds,
    accuracy_by_block,
    measure,
    rolling_mean,
    spoken,
    summary,
    window,
)
from babelzoo.benchmarks.metrics.structure import (
    Codebook,
    bosdis,
    collision_rate,
    distinct_messages,
    effective_codebook,
    posdis,
    topographic_similarity,
)

__all__ = [
    "CONTEXT_MARGIN",
    "Baselines",
    "Codebook",
    "Measured",
    "Rounds",
    "Spread",
    "accuracy_by_block",
    "best_position_feature_mi",
    "bosdis",
    "collision_rate",
    "conditional_mutual_information",
    "context_coded",
    "decoder_ceiling",
    "distinct_messages",
    "effective_codebook",
    "entropy",
    "measure",
    "message_choice_information",
    "message_context_information",
    "message_target_information",
    "mutual_information",
    "posdis",
    "position_feature_purity",
    "random_code_baselines",
    "rolling_mean",
    "shuffled_baselines",
    "spoken",
    "summary",
    "topographic_similarity",
    "topographic_similarity_p",
    "undefined",
    "window",
]
