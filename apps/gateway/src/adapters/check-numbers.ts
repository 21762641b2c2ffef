/**
 * Counts the numbers in the text of a JSON array, without making numbers of them. Gives undefined where the text is
 * not a JSON array of numbers that a float32 can hold.
 */
export function countNumbers(text: Buffer): number | undefined {
  let at = skipSpace(text, 1);
  if (text[at] === 93) return at === text.length - 1 ? 0 : undefined;
  let count = 0;
  for (;;) {
    const end = endOfNumber(text, at);
    if (end === -1) return undefined;
    count += 1;
    at = skipSpace(text, end);
    const byte = text[at];
    if (byte === 93) return at === text.length - 1 ? count : undefined;
    if (byte !== 44) return undefined;
    at = skipSpace(text, at + 1);
  }
}

/** https://www.rfc-editor.org/rfc/rfc8259#section-6 */
function endOfNumber(text: Buffer, start: number): number {
  let at = text[start] === 45 ? start + 1 : start;
  const whole = at;
  if (text[at] === 48) at += 1;
  else at = skipDigits(text, at);
  const wholeDigits = at - whole;
  if (wholeDigits === 0) return -1;
  if (text[at] === 46) {
    const fraction = at + 1;
    at = skipDigits(text, fraction);
    if (at === fraction) return -1;
  }
  const byte = text[at];
  const hasExponent = byte === 101 || byte === 69;
  if (hasExponent) {
    const sign = text[at + 1];
    const exponent = sign === 43 || sign === 45 ? at + 2 : at + 1;
    at = skipDigits(text, exponent);
    if (at === exponent) return -1;
  }
  // Only a number that is written very large or with an exponent can be beyond float32.
  if (
    (hasExponent || wholeDigits > 30) &&
    !Number.isFinite(Math.fround(Number(text.toString("latin1", start, at))))
  )
    return -1;
  return at;
}

function skipDigits(text: Buffer, start: number): number {
  let at = start;
  for (let byte = text[at] ?? 0; byte >= 48 && byte <= 57; byte = text[at] ?? 0) at += 1;
  return at;
}

function skipSpace(text: Buffer, start: number): number {
  let at = start;
  for (let byte = text[at]; byte === 32 || byte === 10 || byte === 13 || byte === 9; byte = text[at]) at += 1;
  return at;
}
