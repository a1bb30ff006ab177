// Who pays whom and what cannot be, without a network: the engine has reckoned the shares and the totals beforehand
// (scoring/scorebook/shares.py). Here they are only multiplied, added and looked up.
self.Settling = (() => {
  const FIGURE = /[\s,]/g;

  const windsOf = (deal) => [...deal.winds.matchAll(/(\d)(\D)/g)].map(([, seat, wind]) => ({ seat, wind }));
  const pointsOf = (text) => Number((text ?? "").replace(FIGURE, "").replace("−", "-") || 0);

  function totalsOf(table, deal, seat, isWinner) {
    const { runs, deals } = table.totals ?? {};
    const key = `${deal.prevailing} ${deal.goulash ? "goulash" : ""} ${deal.winds}.${deal.dealer}`;
    const places = deals?.[key]?.[seat];
    return places && runs[places[isWinner ? 0 : 1]];
  }

  const holds = (runs, points) => runs.some(([first, last, step]) => points >= first && points <= last && (points - first) % (step || 1) === 0);

  // The greatest total below and the least above.
  function nearest(runs, points) {
    const totals = runs.flatMap(([first, last, step]) => {
      if (points <= first) return [first];
      return points >= last ? [last] : [points - ((points - first) % step), points - ((points - first) % step) + step];
    });
    return [Math.max(...totals.filter((total) => total < points)), Math.min(...totals.filter((total) => total > points))].filter(Number.isFinite);
  }

  const inWords = (points) => points.toLocaleString("en-GB");

  // The hand as it was told: the way, the winner, and points by seat.
  function read(deal, told) {
    const fields = Object.fromEntries(told);
    const seats = windsOf(deal);
    const isCounted = fields.way === "tallies";
    const isScored = fields.way === "totals" || fields.way === "tiles";
    const scoreOf = ({ seat }) => pointsOf(fields[`score_${seat}`] ?? (seat === fields.winner ? fields.score : ""));
    const scores = isScored ? Object.fromEntries(seats.map((place) => [place.seat, scoreOf(place)])) : {};
    return { fields, seats, isCounted, isScored, scores, winner: fields.winner };
  }

  function sharesOf(table, deal, { fields, seats }) {
    const windOf = Object.fromEntries(seats.map(({ seat, wind }) => [seat, wind]));
    const shares = table.shares?.[`${seats.map(({ wind }) => wind).join("")}.${windOf[deal.dealer]}`];
    const lastTile = fields.last_tile === undefined || fields.last_tile === "wall" ? (fields.last_tile ?? "") : windOf[fields.last_tile];
    return shares?.[`${windOf[fields.winner]}.${lastTile}.${windOf[fields.pays_for_all] ?? ""}`];
  }

  function paymentsOf(shares, { seats, scores }) {
    const seatOf = Object.fromEntries(seats.map(({ seat, wind }) => [wind, seat]));
    return shares.map(([payer, payee, more, less, times]) => {
      const points = times * (scores[seatOf[more]] - (less ? scores[seatOf[less]] : 0));
      const pair = points < 0 ? [payee, payer] : [payer, payee];
      return { payer: seatOf[pair[0]], payee: seatOf[pair[1]], points: Math.abs(points) };
    }).filter(({ points }) => points);
  }

  function gainsOf(payments, seats) {
    const gains = Object.fromEntries(seats.map(({ seat }) => [seat, 0]));
    for (const { payer, payee, points } of payments) {
      gains[payer] -= points;
      gains[payee] += points;
    }
    return gains;
  }

  const countsOf = ({ fields, seats }) => Object.fromEntries(seats.map(({ seat }) => [seat, pointsOf(fields[`count_${seat}`])]));

  // The hand settled: payments and gains by seat; nothing where this phone was not told enough.
  function settle(table, deal, told, had) {
    const hand = read(deal, told);
    const { fields, seats, scores } = hand;
    const nothing = Object.fromEntries(seats.map(({ seat }) => [seat, 0]));
    if ("drawn" in fields || fields.winner === "nobody" || fields.way === "winner") return { payments: [], gains: nothing, scores: {} };
    if (hand.isCounted) {
      if (!had) return null;
      const counts = countsOf(hand);
      return { payments: [], gains: Object.fromEntries(seats.map(({ seat }) => [seat, counts[seat] - had[seat]])), scores: counts, isCounted: true };
    }
    if (table.shares === null) return { payments: [], gains: scores, scores, isAdded: true };
    const shares = sharesOf(table, deal, hand);
    if (!shares || !hand.isScored) return null;
    const payments = paymentsOf(shares, hand);
    return { payments, gains: gainsOf(payments, seats), scores };
  }

  // What cannot be: pairs of a field and a sentence.
  function faults(table, deal, told, had, nameOf) {
    const hand = read(deal, told);
    if (!hand.winner || hand.winner === "nobody") return [];
    if (hand.isCounted) return had ? astray(table, deal, hand, had, nameOf) : [];
    return hand.seats.flatMap(({ seat }) => faultOf(table, deal, hand, seat, nameOf));
  }

  function faultOf(table, deal, { fields, scores, winner }, seat, nameOf) {
    const isWinner = seat === winner;
    const name = `score_${seat}` in fields ? `score_${seat}` : isWinner && "score" in fields ? "score" : "";
    const runs = name && totalsOf(table, deal, seat, isWinner);
    if (!runs || holds(runs, scores[seat])) return [];
    return [[`id_${name}`, `${nameOf(seat)} cannot score ${inWords(scores[seat])}${isWinner ? " with a Mah-Jong" : ""}. ${possible(nearest(runs, scores[seat]))}`]];
  }

  const possible = (near) => (near.length === 1 ? `The nearest possible score is ${inWords(near[0])}.` : `${near.map(inWords).join(" and ")} are possible.`);

  // Sticks that have gone astray, or a winner whose gain no Mah-Jong brings.
  function astray(table, deal, hand, had, nameOf) {
    const counts = countsOf(hand);
    const sum = (points) => hand.seats.reduce((total, { seat }) => total + points[seat], 0);
    const off = sum(counts) - sum(had);
    const first = `id_count_${hand.seats[0].seat}`;
    if (off) {
      const much = off > 0 ? `${inWords(off)} too much` : `${inWords(-off)} ${off === -1 ? "is" : "are"} missing`;
      return [[first, `The counts add up to ${inWords(sum(counts))}, but should add up to ${inWords(sum(had))}: ${much}. Count the sticks again.`]];
    }
    const runs = totalsOf(table, deal, hand.winner, true);
    const shares = sharesOf(table, deal, hand);
    if (!runs || !shares || "as_counted" in hand.fields) return [];
    const windOf = Object.fromEntries(hand.seats.map(({ seat, wind }) => [seat, wind]));
    const times = shares.filter(([, , more, less]) => more === windOf[hand.winner] && !less).reduce((total, share) => total + share[4], 0);
    const gain = counts[hand.winner] - had[hand.winner];
    if (gain % times === 0 && holds(runs, gain / times)) return [];
    const ways = nearest(runs, gain / times).map((points) => `${inWords(points)} brings ${inWords(points * times)}`).join(" and ");
    return [[`id_count_${hand.winner}`, `${nameOf(hand.winner)} has gained ${inWords(gain)}; a Mah-Jong of ${ways}. Count the sticks again.`]];
  }

  return { settle, faults };
})();
