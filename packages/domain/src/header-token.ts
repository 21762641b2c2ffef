/** Whether a secret can be sent in a header: visible ASCII, without spaces and line breaks. */
export function isHeaderToken(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}

/** The message for an invalid token. The secret itself is never quoted. */
export const headerTokenRule =
  "must have no spaces, line breaks or letters outside ASCII, because it is sent in a header";
