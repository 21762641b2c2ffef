import { expect, test } from "vitest";
import { changedLink, linkTo, parseAddress } from "./address.js";

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

test("a filter may have several values", () => {
  const link = linkTo("/upstreams", { down: ["a", "b"] });

  expect(link).toBe("#/upstreams?down=a&down=b");
  expect(changedLink(parseAddress(link), { down: ["b"] })).toBe("#/upstreams?down=b");
  expect(changedLink(parseAddress(link), { down: [] })).toBe("#/upstreams");
});

test("a changed filter leaves the others as they were", () => {
  const address = parseAddress("#/upstreams?down=a&down=b&upstream=x");

  expect(changedLink(address, { upstream: undefined })).toBe("#/upstreams?down=a&down=b");
  expect(changedLink(address, { remove: "c d" })).toBe("#/upstreams?down=a&down=b&upstream=x&remove=c+d");
});
