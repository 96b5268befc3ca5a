"""What can go wrong with the sample documents."""

from lectern.errors import NotFound


class SamplesNotShipped(NotFound):
    """The sample documents are not part of this installation."""

    code = "samples_not_shipped"
    default_hint = "They come with a clone of Lectern; LECTERN_SAMPLES_DIR may name a folder that holds them."
