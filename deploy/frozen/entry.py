"""Where the program that needs no Python begins."""

from tongbox.__main__ import main

main()
