"""House rules as text, for people who know the format."""

import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from scoring import BadHouseRules, house

MAX_TEXT_BYTES = 100_000
LINES_ERRORS = {"max_length": "That text is too long. Check that you pasted the right thing."}


class HouseLinesForm(forms.Form):
    """The lines of house rules; valid, it holds them in ``cleaned_data["declared"]``."""

    file = forms.FileField(
        label="Rules file",
        required=False,
        error_messages={"empty": "This file is empty."},
        widget=forms.FileInput(attrs={"accept": ".json,.txt,application/json,text/plain"}),
    )
    lines = forms.CharField(
        label="Or paste the rules",
        required=False,
        strip=False,
        max_length=MAX_TEXT_BYTES,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false"}),
        error_messages=LINES_ERRORS,
    )

    def clean_file(self) -> str:
        file = self.cleaned_data["file"]
        if not file:
            return ""
        if file.size > MAX_TEXT_BYTES:
            raise ValidationError(LINES_ERRORS["max_length"])
        try:
            return str(file.read().decode("utf-8-sig"))
        except UnicodeDecodeError as wrong:
            fault = "We cannot read the characters in this file because it is not saved as UTF-8."
            raise ValidationError(fault) from wrong

    def clean(self) -> dict[str, Any]:
        """One of the two is needed; the file counts where both are there."""
        if self.errors:
            return self.cleaned_data
        self.cleaned_data["lines"] = text = self.cleaned_data["file"] or self.cleaned_data["lines"]
        if not text.strip():
            self.add_error("lines", "Choose a file, or paste the rules here.")
            return self.cleaned_data
        try:
            self.cleaned_data["declared"] = parse_rules_text(text)
        except ValidationError as wrong:
            self.add_error("lines", wrong)
        return self.cleaned_data

    def showing_the_text(self) -> "HouseLinesForm":
        """The same answer with the file's text where it can be put right on the page."""
        if not self.cleaned_data.get("lines"):
            return self
        form = HouseLinesForm({"lines": self.cleaned_data["lines"]})
        form.full_clean()
        return form


def rules_as_text(declared_rules: house.HouseRules) -> str:
    return json.dumps(declared_rules.as_data(), ensure_ascii=False, indent=2)


def parse_rules_text(text: str) -> house.HouseRules:
    """The house rules in the text. Raises ValidationError with every fault."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise ValidationError(
            f"Line {wrong.lineno}, character {wrong.colno}: there is a mistake here. Look for a "
            "missing or extra comma, bracket or quotation mark."
        ) from wrong
    except (ValueError, RecursionError) as wrong:
        fault = "We cannot read this text. Check that you pasted the right thing."
        raise ValidationError(fault) from wrong
    try:
        return house.read_house_rules(data)
    except BadHouseRules as bad:
        problems = [(problem.path, problem.message) for problem in bad.problems]
        faults = [f"{path}: {message}" if path else message for path, message in problems]
        raise ValidationError(faults) from bad
