"""What a club takes along: files for a spreadsheet."""
