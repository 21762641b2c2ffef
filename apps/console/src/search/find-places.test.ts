import { expect, test } from "vitest";
import { findPlaces, hintForPart, type Searched } from "./find-places.js";

const searched: Searched = {
  pages: [
    { name: "Overview", path: "/" },
    {
      name: "Models",
      path: "/models",
      words: ["price"],
      parts: { "what if it is down": { section: "rehearsal" } },
    },
  ],
  models: [
    { id: "gte-small", aliases: [] },
    { id: "text-embedding-3-small", aliases: ["ada"] },
  ],
  upstreams: ["openai", "small-box"],
  keys: [],
  requestsPath: "/requests",
};

test("without a text, the pages", () => {
  expect(findPlaces(" ", searched).map(({ name }) => name)).toEqual(["Overview", "Models"]);
});

test("names that begin with the text come first", () => {
  expect(findPlaces("Small", searched)).toEqual([
    { kind: "upstream", name: "small-box", link: "#/upstreams?upstream=small-box" },
    { kind: "model", name: "gte-small", link: "#/models?model=gte-small" },
    { kind: "model", name: "text-embedding-3-small", link: "#/models?model=text-embedding-3-small" },
  ]);
});

test("a model is found by its alias", () => {
  expect(findPlaces("ada", searched).map(({ name }) => name)).toEqual(["text-embedding-3-small"]);
});

test("keys are those that the gateway has found", () => {
  const keys = [{ id: "key_1", name: "nightly" }];

  expect(findPlaces("key_1", { ...searched, keys })).toEqual([
    { kind: "key", name: "nightly", link: "#/keys?key=key_1" },
  ]);
});

test("a request id leads to its request, for callers on their own page", () => {
  const id = "req_a3d50a6faea5e691c607f0a4902c56ab";

  expect(findPlaces(` ${id} `, searched)).toEqual([
    { kind: "request", name: id, link: `#/requests?request=${id}` },
  ]);
  expect(findPlaces(id, { ...searched, requestsPath: "/key" })).toEqual([
    { kind: "request", name: id, link: `#/key?request=${id}` },
  ]);
});

test.each([
  ["batch", "batch_6f1f3530a1a2324b19752018"],
  ["job", "job_6f1f3530a1a2324b197520186f1f3530"],
])("the id of a %s leads to its sheet, for callers as for operators", (kind, id) => {
  for (const requestsPath of ["/requests", "/key"])
    expect(findPlaces(id.toUpperCase(), { ...searched, requestsPath })).toEqual([
      { kind, name: id, link: `#/jobs?${kind}=${id}` },
    ]);
});

test.each(["eq_a3d50a6faea5e691c607f0a4902c56ab", "req_a3d50a6faea5e691", "order-4711"])(
  "%s is not a request id",
  (text) => {
    expect(findPlaces(text, searched)).toEqual([]);
  },
);

test("a page is found by a word for its content", () => {
  expect(findPlaces("Pric", searched)).toEqual([
    { kind: "page", name: "Models", link: "#/models", word: "price" },
  ]);
});

test("an owner of keys leads to the owner's usage, once", () => {
  const keys = ["key_1", "key_2"].map((id) => ({ id, name: id, owner: "Search team" }));

  expect(findPlaces("search", { ...searched, keys })).toEqual([
    { kind: "owner", name: "Search team", link: "#/usage?time=month&by=key&owner=Search+team" },
    { kind: "key", name: "key_1", link: "#/keys?key=key_1" },
    { kind: "key", name: "key_2", link: "#/keys?key=key_2" },
  ]);
});

test.each(["what if down", "What if it is down", "is down"])("%s leads to a part of a page", (text) => {
  expect(findPlaces(text, searched)).toEqual([
    { kind: "page", name: "Models", link: "#/models?section=rehearsal", word: "what if it is down" },
  ]);
});

test("the beginning of an id is recognised, and a whole one is not a beginning", () => {
  const whole = "req_a3d50a6faea5e691c607f0a4902c56ab";

  expect(["req_", " REQ_a3d5", whole.slice(0, -1), "req_a3d5…"].map(hintForPart)).toEqual(
    Array(4).fill("A request is found by its whole id: req_ and 32 more characters."),
  );
  expect(hintForPart("batch_6f1f")).toBe("A batch is found by its whole id: batch_ and 24 more characters.");
  expect(hintForPart("job_019c...")).toBe("A job is found by its whole id: job_ and 32 more characters.");
  expect([whole, "req", "requests", "req_xyz", "batches", "job"].map(hintForPart)).toEqual(
    Array(6).fill(undefined),
  );
});
