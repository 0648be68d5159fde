"""The result of tidepool.analyze, and what it consists of."""

from .function import analyze
from .result import Analysis
from .types import Dependence, Field, Finding, InputAxis, Layer, Loss, Misalignment

__all__ = ["Analysis", "Dependence", "Field", "Finding", "InputAxis", "Layer", "Loss", "Misalignment", "analyze"]
