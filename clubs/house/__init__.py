"""The front page, settings, guides, jobs and practice evenings."""
