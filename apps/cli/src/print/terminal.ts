/** Where a command writes. */
export interface Terminal {
  /** Writes to standard output. */
  readonly print: (text: string) => void;
  /** Replaces the last line of standard error. Absent if that is not a terminal. */
  readonly redraw?: (line: string) => void;
  readonly hasColours: boolean;
  /** Aborts when the person ends the command. */
  readonly signal: AbortSignal;
}

/** The result of a command, for people and for programs. */
export interface Report {
  readonly text: string;
  /** One JSON document. Its names are those of the API. */
  readonly document: unknown;
  /** Whether the exit code is 0. Default: true. */
  readonly isFine?: boolean;
}

/** Writes a report in the form that was asked for, and returns the exit code. */
export function writeReport(
  { text, document, isFine = true }: Report,
  { json, terminal }: { readonly json: boolean; readonly terminal: Terminal },
): number {
  terminal.print(json ? `${JSON.stringify(document, null, 2)}\n` : text);
  return isFine ? 0 : 1;
}

export type Tone = "good" | "bad" | "warning" | "faint" | "strong";

/** https://en.wikipedia.org/wiki/ANSI_escape_code#Select_Graphic_Rendition_parameters */
const codes: Readonly<Record<Tone, number>> = { good: 32, bad: 31, warning: 33, faint: 2, strong: 1 };

/** Colours a text. Without colours it returns the text as it is. */
export type Paint = (tone: Tone, text: string) => string;

export function createPaint({ hasColours }: Pick<Terminal, "hasColours">): Paint {
  return (tone, text) => (hasColours && text !== "" ? `\u001b[${codes[tone]}m${text}\u001b[0m` : text);
}

/** Names and messages come from others: a control character in them could rewrite the screen. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
