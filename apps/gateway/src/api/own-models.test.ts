import type { AccessKey } from "@model-gateway/domain/access-key";
import { noDurations } from "@model-gateway/domain/duration-histogram";
import type { Model } from "@model-gateway/domain/model";
import { expect, test } from "vitest";
import type { UsageGroup } from "../usage/ledger/ledger-store.js";
import { rowOf } from "../usage/test/ledger-rows.js";
import { hideModel, hideModels, mayNameAs } from "./own-models.js";

const key: AccessKey = { id: "k", name: "k", limits: {}, isDisabled: false, models: ["open", "old-*"] };
const models = [
  { id: "open" },
  { id: "poster" },
  { id: "large", aliases: ["old-large"] },
] as unknown as Model[];
const catalog = { find: (id: string) => models.find((model) => model.id === id) };
const mayName = mayNameAs(key, catalog);

const refusedRow = (model: string | null) =>
  rowOf(1, { model, upstream: null, attempts: 0, status: 403, cachedInputs: 0 });

test("a refused request does not say whether a model exists that the key may not call", () => {
  expect(hideModel(refusedRow("poster"), mayName).model).toBeNull();
  expect(hideModel(refusedRow(null), mayName).model).toBeNull();
});

test("a model that the key may call, or has called, keeps its name", () => {
  expect(hideModel(refusedRow("open"), mayName).model).toBe("open");
  expect(hideModel(refusedRow("large"), mayName).model).toBe("large");
  expect(hideModel(rowOf(1, { model: "poster", upstream: "up" }), mayName).model).toBe("poster");
  expect(hideModel(rowOf(1, { model: "poster", upstream: null, cachedInputs: 1 }), mayName).model).toBe(
    "poster",
  );
});

const groupOf = (group: Partial<UsageGroup>): UsageGroup => ({
  requests: 1,
  failures: 1,
  inputTokens: 0,
  outputTokens: 0,
  images: 0,
  costNanos: 0,
  unpriced: 0,
  cachedInputs: 0,
  savedNanos: 0,
  durations: noDurations,
  ...group,
});

test("sums of models that the key may not call are part of those without a model", () => {
  const groups = [
    groupOf({ startsAt: 1, model: null, requests: 2 }),
    groupOf({ startsAt: 1, model: "open" }),
    groupOf({ startsAt: 1, model: "poster", requests: 3 }),
    groupOf({ startsAt: 2, model: "poster", failures: 0 }),
    groupOf({ startsAt: 2, model: "secret", inputTokens: 5 }),
  ];

  expect(
    hideModels(groups, mayName, undefined).map(({ startsAt, model, requests, failures }) => [
      startsAt,
      model,
      requests,
      failures,
    ]),
  ).toEqual([
    [1, null, 5, 2],
    [1, "open", 1, 1],
    [2, null, 1, 0],
    [2, "secret", 1, 1],
  ]);
});

test("a report for such a model is empty, unless the key has used it", () => {
  const refused = groupOf({ model: "poster" });
  const used = groupOf({ model: "poster", costNanos: 1 });

  expect(hideModels([refused], mayName, "poster")).toEqual([]);
  expect(hideModels([refused, used], mayName, "poster")).toEqual([used]);
  expect(hideModels([groupOf({ model: "open" })], mayName, "open")).toHaveLength(1);
});
