"""The paper kit: pages, fonts, columns and tiles for every printout."""
