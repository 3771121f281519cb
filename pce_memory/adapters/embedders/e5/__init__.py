"""multilingual-e5-small: weights from one package, converted once, run by onnxruntime."""

from pce_memory.adapters.embedders.e5.embedder import E5Embedder

__all__ = ["E5Embedder"]
