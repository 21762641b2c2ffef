import type { TextRange } from "./secret-matcher.js";

/** A text without its percent signs, and where each of its letters was. */
interface DecodedText {
  readonly text: string;
  /** The place of a part in the text as it was. */
  sourceOf(range: TextRange): TextRange;
}

const escaped = /%[0-9a-f]{2}/i;

/** Undefined for a text without `%` and two digits. Servers differ in which letters they write so, and in which case. */
export function percentDecode(source: string): DecodedText | undefined {
  if (!source.includes("%") || !escaped.test(source)) return undefined;
  const starts: number[] = [];
  let text = "";
  for (let at = 0; at < source.length; ) {
    const code = source[at] === "%" ? source.slice(at, at + 3) : "";
    const isEscaped = escaped.test(code);
    starts.push(at);
    text += isEscaped ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : source[at];
    at += isEscaped ? 3 : 1;
  }
  starts.push(source.length);
  return {
    text,
    sourceOf: ({ start, end }) => ({ start: starts[start] ?? 0, end: starts[end] ?? source.length }),
  };
}
