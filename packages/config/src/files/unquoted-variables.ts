import { type Document, isCollection, LineCounter, parseDocument, type Scalar, visit } from "yaml";

interface ParsedText {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly unquoted: readonly UnquotedValue[];
  /** Whether a value is one of them, so that nothing more can be said about it. */
  readonly isUnquoted: (node: Scalar) => boolean;
}

/** A value with a variable and without quotes, inside braces or brackets. */
export interface UnquotedValue {
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** The first variable in it. */
  readonly variable: string;
}

/**
 * Parses YAML. Inside `{ }` and `[ ]`, a value such as `${NAME}` without quotes would end at its brace, and each piece of
 * the rest of the file would be an error. It is one fault here, and the rest of the file is read.
 */
export function parseText(text: string): ParsedText {
  const { document, lines } = parse(text);
  const unquoted = document.errors.length === 0 ? [] : findUnquoted(text);
  if (unquoted.length === 0) return { document, lines, unquoted, isUnquoted: () => false };
  const starts = new Set(unquoted.map(({ start }) => start));
  const parts = unquoted.map(({ start, end }, index) => {
    const before = text.slice(unquoted[index - 1]?.end ?? 0, start);
    return `${before}${hideBraces(text.slice(start, end))}`;
  });
  return {
    ...parse(`${parts.join("")}${text.slice(unquoted.at(-1)?.end)}`),
    unquoted,
    isUnquoted: ({ range }) => range != null && starts.has(range[0]),
  };
}

function findUnquoted(text: string): UnquotedValue[] {
  const found: UnquotedValue[] = [];
  visit(parse(hideBraces(text)).document, {
    Scalar(key, { type, range }, ancestors) {
      if (key === "key" || type !== "PLAIN" || range == null) return;
      if (!ancestors.some((one) => isCollection(one) && one.flow === true)) return;
      const [start, end] = range;
      const variable = reference.exec(text.slice(start, end))?.[1];
      if (variable !== undefined) found.push({ start, end, variable });
    },
  });
  return found;
}

/** A variable, or the place of a secret: `file:/run/secrets/name`. */
const reference = /\$\{([\w:/.#@+=-]+)\}/;

/** References to variables, without braces and as long as before: all positions stay. */
function hideBraces(text: string): string {
  return text.replaceAll(new RegExp(reference, "g"), (_whole, name: string) => `$_${name}_`);
}

function parse(text: string): Pick<ParsedText, "document" | "lines"> {
  const lines = new LineCounter();
  return { document: parseDocument(text, { lineCounter: lines }), lines };
}
