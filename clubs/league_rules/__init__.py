"""How a season ranks: rules as data and in sentences, the table and its explanation; no Django."""
