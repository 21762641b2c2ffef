// Zero and half a surrogate pair: PostgreSQL refuses them, and SQLite cuts the text there.
const unstorable = /[\0\p{Cs}]/gu;

/** Whether both databases give the text back as it is. */
export function isStorable(text: string): boolean {
  return text.search(unstorable) === -1;
}

/** The text with a mark in place of what can not be stored, and cut where it is too long for an index. */
export function toStorable(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replace(unstorable, "\ufffd");
}
