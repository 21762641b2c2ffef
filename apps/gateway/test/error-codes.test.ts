import { expect, test } from "vitest";
import { errorHelp } from "../src/error-help.js";
import { type ErrorCode, errorTable } from "../src/errors.js";
import { readSpec } from "../src/http/request/spec.js";
import { mayRetry } from "../src/http/response/write-error.js";

const rows = Object.entries(errorTable).map(([code, { status }]) => ({ code: code as ErrorCode, status }));

test.each(rows)("the help for $code says the same about a retry as the response", ({ code, status }) => {
  const { callerRetry } = errorHelp[code];

  expect(callerRetry !== "no").toBe(mayRetry({ code, status }));
});

test("every code has a meaning and a remedy of its own, in sentences", () => {
  const texts = Object.values(errorHelp).map(({ meaning }) => meaning);
  const unfinished = Object.values(errorHelp)
    .flatMap(({ meaning, remedy }) => [meaning, remedy])
    .filter((text) => !/^[A-Z`].*\.$/.test(text));

  expect(new Set(texts).size).toBe(texts.length);
  expect(unfinished).toEqual([]);
});

test("the spec lists every code, and no other", () => {
  const { ErrorCode } = readSpec().components.schemas;

  expect([...(ErrorCode?.enum ?? [])].sort()).toEqual(Object.keys(errorTable).sort());
});
