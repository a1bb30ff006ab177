// Plays an evening: open, check in, seat, play, agree and finish.
//   node evening.js SERVER CLUB EMAIL PASSWORD DAY
// It prints the evening's result as JSON.
import createClient from "openapi-fetch";
import type { components, paths } from "./tongbox.js";

type Evening = components["schemas"]["EveningWhole"];
type Hand = components["schemas"]["HandIn"];

const SCORES = [
  [60, 20, 8, 4],
  [2, 38, 16, 10],
  [12, 6, 82, 20],
  [24, 8, 2, 44],
];

const [server, slug, email, password, day] = process.argv.slice(2) as [string, string, string, string, string];
const api = createClient<paths, "application/json">({ baseUrl: server });

/** The answer's data; a refusal ends the program with its sentences. */
async function answer<Data>(request: Promise<{ data?: Data; error?: unknown }>): Promise<Data> {
  const { data, error } = await request;
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

async function signIn(): Promise<void> {
  const body = { email, password, club: slug, days: 1, scopes: ["read", "people", "evenings", "hands"] as const };
  const { token } = await answer(api.POST("/api/v1/token/", { body: { ...body, scopes: [...body.scopes] } }));
  api.use({
    onRequest({ request }) {
      request.headers.set("Authorization", `Bearer ${token}`);
      return request;
    },
  });
}

async function checkIn(evening: number): Promise<void> {
  const path = { club: slug, evening };
  const members = await answer(api.GET("/api/v1/clubs/{club}/players/", { params: { path: { club: slug } } }));
  for (const { player_id } of members.results.filter((member) => member.is_active).slice(0, 8)) {
    const body = { player: player_id, is_here: true };
    await answer(api.POST("/api/v1/clubs/{club}/evenings/{evening}/check-in/", { params: { path }, body }));
  }
}

/** Each hand is sent twice, as a phone does on a bad line; the second time nothing is added. */
async function enter(game: number, body: Hand): Promise<number> {
  const send = () => api.POST("/api/v1/games/{game}/hands/", { params: { path: { game } }, body });
  const first = await send();
  const again = await send();
  if (first.response.status !== 201 || again.response.status !== 200) throw new Error(JSON.stringify(first.error));
  const hand = await answer(Promise.resolve(again));
  if (!("id" in hand)) throw new Error("This was only a dry run.");
  return hand.id;
}

async function play(game: number): Promise<void> {
  for (const scores of SCORES) {
    const { next_hand } = await answer(api.GET("/api/v1/games/{game}/", { params: { path: { game } } }));
    if (next_hand === null) return;
    const hand = await enter(game, {
      submission_id: crypto.randomUUID(),
      number: next_hand.number,
      winner: scores.indexOf(Math.max(...scores)) + 1,
      scores: Object.fromEntries(scores.map((score, seat) => [seat + 1, score])),
    });
    const path = { game, hand };
    const read = await api.GET("/api/v1/games/{game}/hands/{hand}/", { params: { path } });
    const header = { "If-Match": read.response.headers.get("ETag") ?? "" };
    await answer(api.POST("/api/v1/games/{game}/hands/{hand}/agree/", { params: { path, header }, body: {} }));
  }
}

await signIn();
const { id } = await answer(
  api.POST("/api/v1/clubs/{club}/evenings/", { params: { path: { club: slug } }, body: { held_on: day } }),
);
const path = { club: slug, evening: id };
await checkIn(id);
await answer(api.POST("/api/v1/clubs/{club}/evenings/{evening}/seat/", { params: { path }, body: {} }));
const evening: Evening = await answer(api.GET("/api/v1/clubs/{club}/evenings/{evening}/", { params: { path } }));
for (const table of evening.tables) await play(table.game_id);
await answer(api.POST("/api/v1/clubs/{club}/evenings/{evening}/close/", { params: { path } }));
const { results } = await answer(api.GET("/api/v1/clubs/{club}/evenings/{evening}/result/", { params: { path } }));
console.log(JSON.stringify(results.map(({ name, points }) => ({ name, points }))));
