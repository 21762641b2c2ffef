/** A part of a text, and where its bytes go. There must be room for three bytes for each unit of the text. */
interface Utf8Destination {
  readonly start: number;
  readonly end: number;
  readonly into: Uint8Array;
  readonly at: number;
}

const replacementCharacter = 0xfffd;

/**
 * Writes text as UTF-8 and returns the number of bytes. `TextEncoder` does the same, but a call takes longer than a word
 * does here. Half of a surrogate pair becomes a replacement character.
 */
export function writeUtf8(text: string, { start, end, into, at }: Utf8Destination): number {
  let to = at;
  for (let index = start; index < end; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      into[to++] = unit;
      continue;
    }
    let codePoint = text.codePointAt(index) ?? 0;
    if (codePoint > 0xffff) index += 1;
    else if (codePoint >= 0xd800 && codePoint < 0xe000) codePoint = replacementCharacter;
    to = writeWide(codePoint, into, to);
  }
  return to - at;
}

function writeWide(codePoint: number, into: Uint8Array, at: number): number {
  let to = at;
  if (codePoint < 0x800) into[to++] = 0xc0 | (codePoint >> 6);
  else {
    if (codePoint < 0x1_0000) into[to++] = 0xe0 | (codePoint >> 12);
    else {
      into[to++] = 0xf0 | (codePoint >> 18);
      into[to++] = 0x80 | ((codePoint >> 12) & 0x3f);
    }
    into[to++] = 0x80 | ((codePoint >> 6) & 0x3f);
  }
  into[to++] = 0x80 | (codePoint & 0x3f);
  return to;
}

/** Moves the end of a slice back if it would split a surrogate pair. */
export function wholeCharacters(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end;
}
