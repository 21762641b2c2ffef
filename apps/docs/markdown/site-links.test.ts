import { expect, test } from "vitest";
import { siteLinks } from "./site-links.js";

test("links between files become addresses of the site, relative to the page", () => {
  const resolve = siteLinks("guides/configuration.md");

  expect(
    [
      "errors.md",
      "../decisions/0017-rate-limits-are-all-or-nothing.md#choice",
      "#keys",
      "https://example.com/a.md",
      "images/a.png",
      "http://127.0.0.1:8080/console/#/keys",
    ].map(resolve),
  ).toEqual([
    "../../errors/",
    "../../decisions/0017-rate-limits-are-all-or-nothing/#choice",
    "#keys",
    "https://example.com/a.md",
    "../../images/a.png",
    "../../../console/#/keys",
  ]);
});

test("a page that is not in a folder has shorter links", () => {
  expect(siteLinks("benchmarks.md")("guides/deploy.md")).toBe("../guides/deploy/");
});
