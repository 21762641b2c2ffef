import { expect, test } from "vitest";
import { keyOptions, readFilters } from "./request-filters.js";

const nowMs = Date.UTC(2026, 10, 16, 14, 25);

test("every filter of the address goes to the operation", () => {
  const address = new URLSearchParams(
    "time=24h&owner=search&key=key_1&model=m&has_model=false&operation=createImage&upstream=u&failed=true&recovered=true&recovered_from=r&error_code=e&cache=hit&min_duration_ms=200&batch=batch_1&job=job_1",
  );

  expect(readFilters(address, nowMs)).toEqual({
    from: Date.UTC(2026, 10, 15, 15) / 1000,
    owner: "search",
    key: "key_1",
    model: "m",
    has_model: false,
    operation: "createImage",
    upstream: "u",
    failed: true,
    recovered: true,
    recovered_from: "r",
    error_code: "e",
    cache: "hit",
    min_duration_ms: 200,
    batch: "batch_1",
    job: "job_1",
    limit: 50,
  });
});

test("a calendar month has a start and an end", () => {
  expect(readFilters(new URLSearchParams("time=last-month"), nowMs)).toEqual({
    from: Date.UTC(2026, 9) / 1000,
    to: Date.UTC(2026, 10) / 1000,
    limit: 50,
  });
});

test("values that the operation does not know are dropped", () => {
  const address = new URLSearchParams(
    "time=ever&operation=fly&failed=maybe&has_model=some&cache=warm&min_duration_ms=soon&model=%20",
  );

  expect(readFilters(address, nowMs)).toEqual({ limit: 50 });
});

test("keys that share a name are told apart by their ids", () => {
  const keys = ["nightly", "ci", "ci"].map((name, index) => ({ id: `key_${index}`, name }));

  expect(keyOptions(keys).map(({ label }) => label)).toEqual(["nightly", "ci (key_1)", "ci (key_2)"]);
});
