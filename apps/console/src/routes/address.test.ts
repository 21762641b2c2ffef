import { expect, test } from "vitest";
import { linkTo, parseAddress } from "./address.js";

test("an address has a path and the filters behind it", () => {
  const { path, query } = parseAddress("#/requests?key=a%20b&failed=true");

  expect(path).toBe("/requests");
  expect(Object.fromEntries(query)).toEqual({ key: "a b", failed: "true" });
});

test("an empty address is the first page", () => {
  expect(parseAddress("").path).toBe("/");
  expect(parseAddress("#/").path).toBe("/");
});

test("a link leaves out filters without a value, and reads back as it was written", () => {
  const link = linkTo("/requests", { key: "a&b?c", model: "", status: undefined });

  expect(link).toBe("#/requests?key=a%26b%3Fc");
  expect(parseAddress(link).query.get("key")).toBe("a&b?c");
});
