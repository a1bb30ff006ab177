"""The command ``tongbox``, which starts and looks after an installation."""

__version__ = "0.1.0"
