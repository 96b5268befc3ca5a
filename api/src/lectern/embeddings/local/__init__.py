"""Convert the packaged weights of multilingual-e5-small into an ONNX model folder."""
