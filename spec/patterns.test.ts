import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const document: unknown = JSON.parse(
  readFileSync(new URL("generated/openapi.json", import.meta.url), "utf8"),
);
const patterns = [...new Set(patternsIn(document))];

/** The regular expression syntax that JavaScript, Python (`re`) and Go (RE2) share: anything else is refused. */
const portable =
  /^(?:[^\\()[\]{}*+?|]|\\x[0-9a-f]{2}|\\[.\\^$|()[\]{}*+?/]|\((?!\?)|\)|\||\[\^?(?:[^\\[\]&~|]|\\x[0-9a-f]{2}|\\[\\^\]-])+\]|(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})(?![*+?{]))+$/;

test("the patterns of the spec are found", () => {
  expect(patterns).toContain("^req_[0-9a-f]{32}$");
});

test.each(patterns)("%s is written in the syntax that every engine has", (pattern) => {
  expect(pattern).toMatch(portable);
  expect(() => new RegExp(pattern, "u")).not.toThrow();
});

test.each([
  ["a Unicode property, which Python lacks", "^\\p{L}$"],
  ["a lookahead, which Go lacks", "^(?!a)b$"],
  ["a named group, which each writes differently", "^(?<a>b)$"],
  ["a reference to a group, which Go lacks", "^(a)\\1$"],
  ["a class that means more in Python than in JavaScript", "^\\d$"],
  ["a possessive quantifier, which JavaScript lacks", "^a++$"],
  ["a repetition that is too long for Go", "^a{1001}$"],
])("%s is refused", (_what, pattern) => {
  expect(pattern).not.toMatch(portable);
});

test("Python compiles every pattern, where there is a Python", () => {
  const program = "import json, re, sys\nfor one in json.load(sys.stdin): re.compile(one)";

  const { error, status, stderr } = spawnSync("python3", ["-W", "error", "-c", program], {
    input: JSON.stringify(patterns),
    encoding: "utf8",
  });

  if (error === undefined) expect(status, stderr).toBe(0);
  else expect(error).toMatchObject({ code: "ENOENT" });
});

test("a pattern that callers must meet is explained in words", () => {
  const { schemas, parameters } = (document as { components: Record<string, unknown> }).components;

  expect(bareIn({ schemas, parameters })).toEqual([]);
  expect(bareIn({ Name: { pattern: "^a$" } })).toEqual(["^a$"]);
});

/** The value of every `pattern`, wherever it is. */
function patternsIn(node: unknown): string[] {
  if (!isObject(node)) return [];
  const own = typeof node.pattern === "string" ? [node.pattern] : [];
  return [...own, ...Object.values(node).flatMap(patternsIn)];
}

/** The patterns without `x-expected`, which the gateway puts into its messages. */
function bareIn(node: unknown): string[] {
  if (!isObject(node)) return [];
  const own = typeof node.pattern === "string" && typeof node["x-expected"] !== "string";
  return [...(own ? [String(node.pattern)] : []), ...Object.values(node).flatMap(bareIn)];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
