/** Control characters, format characters such as those that change the direction of text, and other line ends. */
const controls = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** Nobody reads more of a line on a terminal. */
const lettersMax = 64 * 1024;

/**
 * The text as one harmless line of a terminal: a caller's text must not move the cursor, change colours or begin a line.
 *
 * @param lengthMax Longer texts are cut.
 */
export function escapeControls(text: string, lengthMax = lettersMax): string {
  const short = text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
  return short.replace(controls, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
  });
}
