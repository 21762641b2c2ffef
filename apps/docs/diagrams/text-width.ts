/** Widths of letters, in parts of the font's size. A little more than most system fonts have. */
const narrow = /[ijlrtfI.,:;'|!()[\]/ ]/;
const wide = /[mwMW@%]/;
const capital = /[A-Z0-9_×]/;

/** The estimated width of a text, which no one can measure without a browser. */
export function textWidth(text: string, size: number): number {
  let ems = 0;
  for (const letter of text)
    ems += narrow.test(letter) ? 0.34 : wide.test(letter) ? 0.88 : capital.test(letter) ? 0.67 : 0.56;
  return ems * size;
}

/** Breaks a text into lines that are not wider. A word that is too wide is a line. */
export function breakLines(text: string, width: number, size: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(`${last} ${word}`, size) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
