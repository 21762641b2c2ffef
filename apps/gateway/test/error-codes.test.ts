import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorTable } from "../src/errors.js";
import { readSpec } from "../src/http/request/spec.js";

test("the errors page lists every code with its status and type, and no other", () => {
  const page = readFileSync(new URL("../../docs/guides/errors.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` +\| (\d+) +\| (\w+) +\|/gm)];

  const documented = Object.fromEntries(
    rows.map(([, code, status, type]) => [code, { status: Number(status), type }]),
  );

  const known = Object.entries(errorTable).map(([code, { status, type }]) => [code, { status, type }]);
  expect(documented).toEqual(Object.fromEntries(known));
});

test("the spec lists every code, and no other", () => {
  const { ErrorCode } = readSpec().components.schemas;

  expect([...(ErrorCode?.enum ?? [])].sort()).toEqual(Object.keys(errorTable).sort());
});
