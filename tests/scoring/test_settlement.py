"""What the game says about who pays whom."""

from scoring import Payment, Wind, rule_set, settle

BMJA = rule_set("bmja")
BILL, ROD, BEN, JACK = Wind.S, Wind.E, Wind.W, Wind.N


def test_east_pays_double() -> None:
    """Bill's table: rules.md 2.7, 000-S01."""
    settlement = settle({ROD: 80, BILL: 84, BEN: 208, JACK: 416}, winner=BILL, rules=BMJA)
    assert settlement.gain == {ROD: -1096, BILL: 336, BEN: -36, JACK: 796}
    assert settlement.payments == (
        Payment(ROD, BILL, 168),
        Payment(BEN, BILL, 84),
        Payment(JACK, BILL, 84),
        Payment(ROD, BEN, 256),
        Payment(ROD, JACK, 672),
        Payment(BEN, JACK, 208),
    )
