import { expect, test } from "vitest";
import { headingAnchor, siteMarkdown } from "./site-markdown.js";

test("headings become HTML with an id that names their page", () => {
  const markdown = "## When `a < b`\n\nText.\n\n### Deeper";

  expect(siteMarkdown({ slug: "limits", markdown })).toBe(
    '<h3 id="limits-when-a--b">When <code>a &lt; b</code></h3>\n\nText.\n\n<h4 id="limits-deeper">Deeper</h4>',
  );
});

test("links between files become addresses in the site", () => {
  const markdown =
    "[a](errors.md) [b](../decisions/0007-limits.md#choice) [c](#keys) [d](https://example.com/a.md)";

  expect(siteMarkdown({ slug: "configuration", markdown })).toBe(
    "[a](#/errors) [b](#/0007-limits#0007-limits-choice) [c](#/configuration#configuration-keys) [d](https://example.com/a.md)",
  );
});

test("code blocks are not changed", () => {
  const markdown = "```yaml\n## a comment\n# [a](b.md)\n```";

  expect(siteMarkdown({ slug: "configuration", markdown })).toBe(markdown);
});

test("a heading has the same anchor as on GitHub", () => {
  expect(headingAnchor("`keys`: who may call?")).toBe("keys-who-may-call");
});
