import fc from "fast-check";
import { expect, test } from "vitest";
import { unifiedDiff } from "./unified-diff.js";

test("a change has three lines of context, and distant changes have a hunk each", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`);
  const after = [...lines.slice(0, 2), "added\n", ...lines.slice(2, 17), "changed\n", ...lines.slice(18)];

  expect(unifiedDiff("f.yaml", lines.join(""), after.join(""))).toBe(`--- f.yaml
+++ f.yaml
@@ -1,5 +1,6 @@
 line 1
 line 2
+added
 line 3
 line 4
 line 5
@@ -15,6 +16,6 @@
 line 15
 line 16
 line 17
-line 18
+changed
 line 19
 line 20
`);
});

test("equal texts have no diff", () => {
  expect(unifiedDiff("f", "a\n", "a\n")).toBe("");
});

test("a few edits of a long text are shown as a few lines", () => {
  const lines = Array.from({ length: 6000 }, (_, index) => `line ${index}\n`);
  const edited = lines.map((line, index) => (index % 1000 === 500 ? `edited ${line}` : line));

  const diff = unifiedDiff("f", lines.join(""), edited.join(""));

  expect(diff.split("\n").filter((line) => /^[+-] ?[a-z]/.test(line))).toHaveLength(12);
  expect(diff.split("\n")).toHaveLength(2 + 6 * 9 + 1);
});

test("a text that is another one is removed and added whole", () => {
  const before = Array.from({ length: 2500 }, (_, index) => `before ${index}\n`).join("");
  const after = `${Array.from({ length: 2500 }, (_, index) => `after ${index}\n`).join("")}open`;

  const diff = unifiedDiff("f", before, after);

  expect(diff).toContain("@@ -1,2500 +1,2501 @@\n-before 0\n-before 1\n");
  expect(diff.endsWith("+open\n\\ No newline at end of file\n")).toBe(true);
  expect(apply(before, diff)).toBe(after);
});

test("the signs of a diff give both texts back", () => {
  const text = fc
    .tuple(fc.array(fc.constantFrom("a", "b", "c", "")), fc.boolean())
    .map(([lines, isOpen]) => lines.map((line) => `${line}\n`).join("") + (isOpen ? "open" : ""));

  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      expect(apply(before, unifiedDiff("f", before, after))).toBe(after);
    }),
  );
});

/** Applies a unified diff, and checks its context. */
function apply(text: string, diff: string): string {
  const lines = text === "" ? [] : text.split(/(?<=\n)/);
  const result: string[] = [];
  let at = 0;
  for (const hunk of diff.split(/^(?=@@ )/m).slice(1)) {
    const [, start = "0", length = "0"] = /^@@ -(\d+),(\d+) /.exec(hunk) ?? [];
    const first = Number(start) - (Number(length) === 0 ? 0 : 1);
    result.push(...lines.slice(at, first));
    at = first;
    const body = hunk
      .replace(/\n\\ No newline at end of file\n/g, "")
      .split(/(?<=\n)(?=[ +-])|(?<=open)(?=[+])/)
      .slice(1);
    for (const line of body) {
      const content = line.slice(1);
      if (line[0] !== "+") expect(lines[at++]).toBe(content);
      if (line[0] !== "-") result.push(content);
    }
  }
  return [...result, ...lines.slice(at)].join("");
}
