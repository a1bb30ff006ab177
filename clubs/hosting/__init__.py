"""A hosted address: clubs that people start by themselves, and the operators who run it."""
