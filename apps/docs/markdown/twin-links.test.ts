import { expect, test } from "vitest";
import { relink, twinLink, twinOf } from "./twin-links.js";

test("a page has its twin beside its folder", () => {
  expect(["", "errors/", "guides/deploy/"].map(twinOf)).toEqual([
    "index.md",
    "errors.md",
    "guides/deploy.md",
  ]);
});

test.each([
  ["guides/deploy/", "../../guides/configuration/#https", "configuration.md#https"],
  ["guides/deploy/", "../../errors/", "../errors.md"],
  ["guides/deploy/", "../../", "../index.md"],
  ["guides/deploy/", "../../images/fox.webp", "../images/fox.webp"],
  ["guides/deploy/", "../../reference/redoc/", "../reference/redoc/"],
  ["guides/deploy/", "../../../console/#/keys", "../../console/#/keys"],
  ["guides/deploy/", "#probes", "#probes"],
  ["guides/deploy/", "https://semver.org", "https://semver.org"],
  ["", "guides/deploy/", "guides/deploy.md"],
  ["errors/", "invalid_value/", "errors/invalid_value.md"],
  ["reference/listModels/", "../../openapi.json", "../openapi.json"],
])("in the twin of %j, %j is %j", (address, href, expected) => {
  expect(twinLink(address, href)).toBe(expected);
});

test("links in text change, and links in code do not", () => {
  const text = "[a](x) `[b](x)` [`c`](x) ![d](x)\n\n```md\n[e](x)\n```\n\n[f](x)";

  expect(relink(text, () => "y")).toBe("[a](y) `[b](x)` [`c`](y) ![d](y)\n\n```md\n[e](x)\n```\n\n[f](y)");
});
