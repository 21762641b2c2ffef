const wordPattern =
  /\p{Extended_Pictographic}(?:\u{FE0F}|\u{200D}\p{Extended_Pictographic})*|[\p{L}\p{M}\p{N}]+/gu;

/** A prompt's words in lower case and without accents; an emoji is a word of its own. */
export function splitWords(prompt: string): string[] {
  const plain = prompt
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(/['’]s?\b/g, "")
    .toLowerCase();
  return plain.match(wordPattern) ?? [];
}
