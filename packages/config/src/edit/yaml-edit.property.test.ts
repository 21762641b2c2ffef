import { lengthByTier } from "@model-gateway/test-suite/tier";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { setIn } from "./yaml-edit.js";

/*
 * Random files in the styles that people write: block and flow mappings, comments everywhere, blank lines, lists, block
 * scalars, quotes, Windows line ends. One entry is set, changed or removed. The value of the result must be the value
 * of the file with this change, and every line outside of the entry must stay.
 */

const numRuns = lengthByTier({ short: 60, full: 2000 });

const names = ["alpha", "beta-2", "gamma.x", "delta/e", "with space", "42"];
const scalar = fc.constantFrom<unknown>(
  "text",
  "a: b",
  "# hash",
  "${NAME}",
  "two\nlines\n",
  "true",
  "",
  "it's",
  12,
  0.5,
  true,
  "https://host.example/v1?x=1",
);
const entry = fc.dictionary(
  fc.constantFrom("provider", "apiKey", "baseUrl", "type", "description"),
  fc.oneof(
    { weight: 4, arbitrary: scalar },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.constantFrom("ttl", "max"), scalar, { minKeys: 1, noNullPrototype: true }),
    },
    {
      weight: 1,
      arbitrary: fc.array(
        fc.record({ upstream: fc.constantFrom("a", "b"), model: scalar }, { noNullPrototype: true }),
        { maxLength: 2 },
      ),
    },
  ),
  { minKeys: 1, noNullPrototype: true },
);
const comments = fc.constantFrom(
  "",
  "",
  "",
  "# a comment",
  "# - looks: like yaml",
  "\n",
  "\n# after a blank line",
);

interface WrittenEntry {
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly style: "block" | "flow";
  /** Lines before it, in the indent of the entry. */
  readonly before: string;
  /** A comment line inside of it, after its first key. */
  readonly inside: string;
  /** A comment in the line of its first key. */
  readonly beside: string;
}

const writtenEntry = (name: string): fc.Arbitrary<WrittenEntry> =>
  fc.record({
    name: fc.constant(name),
    value: entry,
    style: fc.constantFrom("block", "flow"),
    before: comments,
    inside: fc.constantFrom("", "", "# inside"),
    beside: fc.constantFrom("", "", " # beside"),
  });
const section = fc
  .subarray(names)
  .chain((chosen) => fc.tuple(...chosen.map(writtenEntry)) as fc.Arbitrary<WrittenEntry[]>);

interface WrittenFile {
  readonly upstreams: WrittenEntry[];
  readonly models: WrittenEntry[];
  readonly head: string;
  readonly between: string;
  readonly tail: string;
  readonly indent: number;
  readonly newline: "\n" | "\r\n";
  readonly isModelsFirst: boolean;
  readonly endsWithNewline: boolean;
}

const file: fc.Arbitrary<WrittenFile> = fc.record({
  upstreams: section,
  models: section,
  head: fc.constantFrom("", "# The gateway.\n", "port: 8080 # here\n\n", "keys: [{ name: a, key: b }]\n"),
  between: comments,
  tail: fc.constantFrom("", "limits: { stopMs: 1 }\n", "\n# the end\n"),
  indent: fc.constantFrom(2, 2, 4),
  newline: fc.constantFrom("\n", "\n", "\n", "\r\n"),
  isModelsFirst: fc.boolean(),
  endsWithNewline: fc.boolean(),
});

function write(written: WrittenFile): string {
  const { upstreams, models, head, between, tail, indent, newline, isModelsFirst, endsWithNewline } = written;
  const parts = [writeSection("upstreams", upstreams, indent), writeSection("models", models, indent)];
  if (isModelsFirst) parts.reverse();
  const text = [head, parts[0], between === "" ? "" : `${between}\n`, parts[1], tail].join("");
  return (endsWithNewline ? text : text.replace(/\n$/, "")).replaceAll("\n", newline);
}

function writeSection(key: string, entries: readonly WrittenEntry[], indent: number): string {
  if (entries.length === 0) return `${key}: {}\n`;
  return `${key}:\n${entries.map((one) => shift(writeEntry(one, indent), indent)).join("")}`;
}

function writeEntry({ name, value, style, before, inside, beside }: WrittenEntry, indent: number): string {
  const key = JSON.stringify(name);
  const lead = before === "" ? "" : `${before}\n`;
  if (style === "flow") return `${lead}${key}: ${JSON.stringify(value)}${beside}\n`;
  const lines = Object.entries(value).map(([setting, content], index) => {
    const isBlock = typeof content === "string" && content.endsWith("\n");
    const text = isBlock
      ? `|\n${shift(content, indent)}`
      : `${JSON.stringify(content)}${index === 0 ? beside : ""}\n`;
    return `${setting}: ${text}${index === 0 && inside !== "" ? `${inside}\n` : ""}`;
  });
  return `${lead}${key}:\n${shift(lines.join(""), indent)}`;
}

function shift(text: string, indent: number): string {
  return text.replace(/^(?=.)/gm, " ".repeat(indent));
}

const change = fc.record({
  section: fc.constantFrom("upstreams", "models"),
  name: fc.oneof(fc.constantFrom(...names), fc.constant("new")),
  value: fc.option(entry, { nil: undefined }),
});

test("a change has its value, and touches only the lines of that entry", () => {
  fc.assert(
    fc.property(file, change, (written, { section, name, value }) => {
      const text = write(written);

      const changed = setIn(text, [section, name], value);

      const before = parse(text);
      const entries = { ...(before[section] ?? {}) };
      if (value === undefined) delete entries[name];
      else entries[name] = value;
      expect(parse(changed)).toEqual({ ...before, [section]: entries });
      expect(touched(text, changed, section, name)).toEqual([]);
    }),
    { numRuns },
  );
});

test("a change that is taken back leaves the file as it was, where the entry was not there", () => {
  fc.assert(
    fc.property(file, entry, (written, value) => {
      fc.pre(written.upstreams.length > 0);
      const text = write({ ...written, endsWithNewline: true });

      const changed = setIn(setIn(text, ["upstreams", "new"], value), ["upstreams", "new"], undefined);

      expect(changed).toBe(text);
    }),
    { numRuns },
  );
});

function parse(text: string): Record<string, Record<string, unknown>> {
  const document = parseDocument(text);
  expect(document.errors).toEqual([]);
  return document.toJS() as Record<string, Record<string, unknown>>;
}

/** The lines of the old text that have changed, and belong neither to the entry nor to the line of an empty section. */
function touched(before: string, after: string, section: string, name: string): string[] {
  const lines = before.split("\n");
  const others = after.split("\n");
  let start = 0;
  while (start < lines.length && lines[start] === others[start]) start += 1;
  let end = 0;
  const rest = Math.min(lines.length, others.length) - start;
  while (end < rest && lines.at(-1 - end) === others.at(-1 - end)) end += 1;
  const [first, last] = linesOf(before, section, name);
  return lines
    .slice(start, lines.length - end)
    .filter((_, index) => start + index < first || start + index > last)
    .filter((line) => line.trim() !== "");
}

/** The first and the last line of an entry. Of an entry that is not there, those of its section's key. */
function linesOf(text: string, section: string, name: string): [number, number] {
  const counter = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter: counter });
  const lineOf = (offset: number) => counter.linePos(offset).line - 1;
  if (!isMap(contents)) return [0, 0];
  const pair = contents.items.find(({ key }) => isScalar(key) && key.value === section);
  const map = pair?.value;
  if (!isMap(map) || !isScalar(pair?.key)) return [0, 0];
  const sectionLine = lineOf(pair.key.range?.[0] ?? 0);
  const found = map.items.find(({ key }) => isScalar(key) && String(key.value) === name);
  if (found === undefined || !isScalar(found.key)) {
    // The last line may get a line feed.
    const isLast = (map.range?.[2] ?? 0) >= text.length - 1;
    return map.items.length === 0
      ? [sectionLine, sectionLine]
      : isLast
        ? [lineCount(text), lineCount(text)]
        : [-1, -1];
  }
  const end = map.items[map.items.indexOf(found) + 1]?.key;
  const last = isScalar(end) ? lineOf(end.range?.[0] ?? 0) - 1 : lineOf(map.range?.[2] ?? 0);
  return [map.items.length === 1 ? sectionLine : lineOf(found.key.range?.[0] ?? 0), last];
}

function lineCount(text: string): number {
  return text.split("\n").length - 1;
}
