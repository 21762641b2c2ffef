import { expect, test } from "vitest";
import { toMarkdown } from "./to-markdown.js";

const write = (html: string) => toMarkdown(html, (href) => `<${href}>`);

test.each([
  ['<h2 id="a">A &amp; B</h2><p>One <b>two</b> <em>three</em>.</p>', "## A & B\n\nOne **two** *three*."],
  ['<p>See <a href="../x/"><code>x</code></a>.</p>', "See [`x`](<../x/>)."],
  [
    '<div class="code"><pre tabindex="0"><code class="language-sh">a <i class="t-string">b</i>\n  &lt;c</code></pre></div>',
    "```sh\na b\n  <c\n```",
  ],
  ["<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"],
  ["<ol><li>a</li><li>b</li></ol>", "1. a\n2. b"],
  [
    "<table><thead><tr><th>a</th><th>b|c</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
    "| a | b\\|c |\n| --- | --- |\n| 1 | 2 |",
  ],
  ["<dl><dt>Status</dt><dd>429</dd></dl>", "**Status**: 429"],
  [
    '<div class="tabs"><fieldset><legend>L</legend><label><input type="radio">curl</label><label><input>JS</label></fieldset><div class="panel"><p>a</p></div><div class="panel"><p>b</p></div></div>',
    "curl:\n\na\n\nJS:\n\nb",
  ],
  ["<details><summary>More</summary><p>a</p></details>", "More\n\na"],
  ['<details class="try"><summary>Try it</summary></details><p hidden>x</p><svg><rect/></svg>', ""],
  [
    '<figure><svg class="wide"><title>T</title><desc>In words.</desc><path d="M0 0"/></svg></figure>',
    "In words.",
  ],
  ['<img src="a.webp" alt="A fox">', "![A fox](<a.webp>)"],
])("%s", (html, expected) => {
  expect(write(html)).toBe(expected);
});

test("an element that has no form, or no end, is an error", () => {
  expect(() => write("<video></video>")).toThrow("<video> has no form");
  expect(() => write("<p>a")).toThrow("<p> is not closed");
  expect(() => write("<p>a</b>")).toThrow("</b> closes <p>");
});
