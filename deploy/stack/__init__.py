"""Everything an installation consists of, on loopback, from the packages of this machine."""

from deploy.stack.laptop import Laptop
from deploy.stack.stack import Stack

__all__ = ["Laptop", "Stack"]
