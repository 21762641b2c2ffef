import { expect, test } from "vitest";
import { openHighlight } from "./highlight.js";
import { headingAnchor, openMarkdown } from "./render-markdown.js";

const render = openMarkdown(await openHighlight());
const draw = (text: string) => render(text, (link) => link);

test("headings have GitHub's anchors, and a repeated one has a number", () => {
  const { body, headings } = draw("## When `a < b`\n\n## Limits\n\n### Limits");

  expect(headings).toEqual([
    { level: 2, text: "When a < b", id: "when-a--b" },
    { level: 2, text: "Limits", id: "limits" },
    { level: 3, text: "Limits", id: "limits-1" },
  ]);
  expect(body.text).toContain('<h2 id="when-a--b">When <code>a &lt; b</code></h2>');
  expect(headingAnchor("`keys`: who may call?")).toBe("keys-who-may-call");
});

test("HTML in a text is shown as text", () => {
  expect(draw("<script>alert(1)</script>").body.text).toBe("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n");
});

test("code is coloured by class and escaped", () => {
  const { body } = draw('```json\n{ "a<b": 1 }\n```');

  expect(body.text).toContain('<i class="t-key">');
  expect(body.text).toContain("a&lt;b");
  expect(body.text).not.toContain("style=");
});

test("a table has no style, and each cell names its column", () => {
  const { body } = draw("| who | share |\n| --- | ---: |\n| ours | 1 |");

  expect(body.text).toContain('<td data-column="share" class="right">1</td>');
  expect(body.text).not.toContain("style=");
});

test("a name in a table may break behind its underscores, and one in a text may not", () => {
  const { body } = draw("| a |\n| --- |\n| ONE_TWO |\n\nONE_TWO");

  expect(body.text).toContain('<td data-column="a">ONE_<wbr>TWO</td>');
  expect(body.text).toContain("<p>ONE_TWO</p>");
});

test("a table of many columns is marked", () => {
  const table = (count: number) => `${"| a ".repeat(count)}|\n${"| - ".repeat(count)}|`;

  expect(draw(table(5)).body.text).toContain('<div class="table" ');
  expect(draw(table(6)).body.text).toContain('<div class="table many" ');
});

test("a diagram is drawn", () => {
  const { body } = draw("```diagram\ntitle: A\nabout: B.\n[a: A]\n```");

  expect(body.text).toContain('<figure class="diagram"><figcaption>A</figcaption><svg class="wide"');
});
