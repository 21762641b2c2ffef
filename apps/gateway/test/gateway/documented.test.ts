import { expect, test } from "vitest";
import { operationsAt, undocumented, unlistedCode } from "./documented.js";

const always = ["x-request-id", "access-control-allow-origin", "access-control-expose-headers"];

test("a response that the spec describes has no fault", () => {
  expect(undocumented("checkHealth", 200, [...always, "date", "content-type"])).toEqual([]);
});

test("a status, a header too many and a header too few are faults", () => {
  expect(undocumented("checkHealth", 418, [])).toEqual(["checkHealth has no 418"]);
  expect(undocumented("checkHealth", 200, [...always, "x-powered-by", "content-encoding"])).toEqual([
    "checkHealth 200 has no x-powered-by",
    "checkHealth 200 has no content-encoding",
  ]);
  expect(undocumented("checkHealth", 200, [])).toEqual(always.map((name) => `checkHealth 200 lacks ${name}`));
});

test("a code that the spec does not list for the operation is a fault", () => {
  expect(unlistedCode("checkHealth", "method_not_allowed")).toEqual([]);
  expect(unlistedCode("checkHealth", "model_not_found")).toEqual([
    "checkHealth fails with model_not_found: add it to x-error-codes in spec/",
  ]);
});

test.each([
  ["GET", "/admin/v1/keys?limit=1", ["listKeys"]],
  ["HEAD", "/v1/models/a%2Fb", ["retrieveModel"]],
  ["PUT", "/admin/v1/keys/any", ["retrieveKey", "changeKey", "revokeKey"]],
  ["GET", "/v1/unknown", []],
])("%s %s is for %s", (method, url, ids) => {
  expect(operationsAt(method, url).map(({ id }) => id)).toEqual(ids);
});
