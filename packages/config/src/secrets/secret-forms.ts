/** A text that reveals a secret. */
export interface SecretForm {
  readonly text: string;
  /** Whether it only counts as a whole word: a short secret may be a part of ordinary ones. */
  readonly isWord: boolean;
}

/**
 * Shorter secrets are not hidden. They can be guessed anyway, and hiding them would turn numbers and ordinary words of
 * every message into placeholders.
 */
export const secretLengthMin = 6;
/** A shorter secret only counts as a whole word. */
const freeLengthMin = 16;
/** A shorter piece of base64 may also be chance. */
const base64LengthMin = 8;
/** A longer form is cut into pieces. This bounds comparisons, and hides a truncated echo. */
const formLengthMax = 64;
const pieceLength = 32;

/**
 * The forms in which a secret may come back: verbatim, as JSON and URLs write it, and in base64, alone or within a
 * longer text.
 */
export function formsOf(secret: string): SecretForm[] {
  const lines = linesOf(secret).filter((line) => line.length >= secretLengthMin);
  return lines.flatMap((line) => {
    const isWord = line.length < freeLengthMin;
    const spellings = new Set([line, JSON.stringify(line).slice(1, -1), ...percentEncoded(line)]);
    return [
      ...[...spellings].flatMap((text) => piecesOf(text).map((piece) => ({ text: piece, isWord }))),
      ...base64Of(line).flatMap((text) => piecesOf(text).map((piece) => ({ text: piece, isWord: false }))),
    ];
  });
}

/** The lines of PEM text are secrets one by one; its first and last are in every such file. */
function linesOf(secret: string): readonly string[] {
  if (!secret.includes("\n")) return [secret];
  return secret
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length >= freeLengthMin && !line.startsWith("-----"));
}

/** Letters beyond ASCII are several bytes in a URL, which `percent-encoding.ts` does not join. */
function percentEncoded(text: string): string[] {
  try {
    return [encodeURIComponent(text)];
  } catch {
    // Half of a surrogate pair has no encoding.
    return [];
  }
}

/**
 * A text in base64 reads differently at each of three positions. The letters at its ends also hold bits of its
 * neighbours, and are left out.
 */
function base64Of(text: string): string[] {
  const length = Buffer.byteLength(text);
  return ["", " ", "  "]
    .map((before) => {
      const encoded = Buffer.from(before + text).toString("base64");
      const whole = Math.floor(((before.length + length) * 8) / 6);
      return encoded.slice(before === "" ? 0 : before.length + 1, whole);
    })
    .filter((encoded) => encoded.length >= base64LengthMin);
}

/** The last piece has the rest. */
function piecesOf(text: string): string[] {
  if (text.length <= formLengthMax) return [text];
  const pieces: string[] = [];
  let at = 0;
  for (; text.length - at >= 2 * pieceLength; at += pieceLength)
    pieces.push(text.slice(at, at + pieceLength));
  pieces.push(text.slice(at));
  return pieces;
}
