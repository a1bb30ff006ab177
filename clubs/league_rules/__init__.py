"""How a season ranks: rules as data, said in sentences, reckoned and explained; no Django."""
