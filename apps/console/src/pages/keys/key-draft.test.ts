import { expect, test } from "vitest";
import type { Schemas } from "../../operations/schemas.js";
import { changeBody, createBody, draftOf, emptyDraft, modelsOf } from "./key-draft.js";

const key: Schemas["AccessKey"] = {
  object: "key",
  id: "key_1",
  name: "search",
  owner: "ann",
  redacted_value: "mg_...1k2x",
  old_secrets: [],
  source: "database",
  status: "active",
  models: ["gte-small", "gpt-image-*", "gone"],
  priority: "interactive",
  limits: {
    requests_per_minute: 600,
    requests_per_day: null,
    tokens_per_minute: null,
    tokens_per_day: null,
    images_per_minute: null,
    images_per_day: null,
    max_concurrency: 16,
  },
  budget: { usd: 25, per: "month" },
  budget_usage: null,
  spent_usd: 0,
  unpriced_requests: 0,
  disabled: false,
  // Not the start of a day.
  expires_at: 1_818_686_086,
  created_at: 1,
  last_used_at: null,
  revoked_at: null,
};

test("a draft of a name alone restricts nothing", () => {
  expect(createBody({ ...emptyDraft, name: " search " })).toEqual({ name: "search" });
});

test("a new key has what was typed", () => {
  const limits = { ...emptyDraft.limits, tokens_per_day: "1000000", images_per_minute: "3" };
  const draft = { ...emptyDraft, name: "a", owner: "ann", limits, usd: "2.5", expires: "2027-06-30" };

  expect(createBody({ ...draft, isRestricted: true, chosen: ["b"], patterns: "c*, b" })).toEqual({
    name: "a",
    owner: "ann",
    models: ["b", "c*"],
    limits: { tokens_per_day: 1_000_000, images_per_minute: 3 },
    budget: { usd: 2.5, per: "month" },
    expires_at: Date.UTC(2027, 5, 30) / 1000,
  });
});

test("a key that is only looked at does not change", () => {
  const draft = draftOf(key, ["gte-small"]);

  expect([draft.chosen, draft.patterns]).toEqual([["gte-small"], "gpt-image-*, gone"]);
  expect(changeBody(draft, draft)).toEqual({});
});

test("a change names what is different, and null where a restriction goes", () => {
  const before = draftOf(key, ["gte-small"]);
  const limits = { ...before.limits, requests_per_minute: "", images_per_day: "9" };

  expect(
    changeBody(before, {
      ...before,
      owner: "",
      isRestricted: false,
      usd: "",
      per: "day",
      limits,
      expires: "",
    }),
  ).toEqual({
    owner: null,
    models: null,
    budget: null,
    limits: { requests_per_minute: null, images_per_day: 9 },
    expires_at: null,
  });
  expect(changeBody(before, { ...before, per: "day" })).toEqual({ budget: { usd: 25, per: "day" } });
});

test("a key that is restricted to nothing may call no model, which the gateway refuses", () => {
  expect(modelsOf({ ...emptyDraft, isRestricted: true })).toEqual([]);
});
