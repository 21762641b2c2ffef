/** The text of a vector in one encoding: a string that was made of it, or the pieces in which it came. */
export type VectorText = string | readonly Buffer[];

/** Texts of vectors have letters of one byte only. */
export function joined(text: VectorText): string {
  return typeof text === "string" ? text : Buffer.concat(text).toString("latin1");
}

export function lengthOf(text: VectorText): number {
  if (typeof text === "string") return text.length;
  let length = 0;
  for (const piece of text) length += piece.length;
  return length;
}
