"""Lectern: a self-hosted knowledge base that AI agents can trust."""

import os

__version__ = "0.1.0"

# onnxruntime sends telemetry to its maker unless this is set before it is loaded.
os.putenv("ORT_DISABLE_TELEMETRY", "1")
