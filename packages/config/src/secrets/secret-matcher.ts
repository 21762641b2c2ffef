import { type SecretForm, secretLengthMin } from "./secret-forms.js";

/** A part of a text, from its first letter to the one after its last. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Every form has this many letters at least. A window of this size in each leads to it. */
const windowLength = secretLengthMin;
const base = 0x01000193;
/** `base` to the power of `windowLength`, by which a letter that leaves the window counts. */
const leaving = Array.from({ length: windowLength }).reduce<number>((power) => Math.imul(power, base), 1);

interface Indexed extends SecretForm {
  /** Position of its window in the form. */
  readonly offset: number;
}

/**
 * Finds any of many forms in a text by Rabin and Karp's rolling hash, in time linear in the text and nearly independent
 * of how many forms there are: each form is found by the window in it that the fewest others share. The two alphabets
 * of base64 count as one.
 */
export class SecretMatcher {
  /** By the hash of their window. */
  readonly #forms = new Map<number, Indexed[]>();
  /** One bit for each low part of a hash that occurs. Most windows of a text are ruled out by it alone. */
  readonly #bits: Uint32Array;
  readonly #mask: number;

  constructor(forms: readonly SecretForm[]) {
    const size = 2 ** Math.max(16, Math.ceil(Math.log2(forms.length * 16 + 1)));
    this.#bits = new Uint32Array(size / 32);
    this.#mask = size - 1;
    for (const form of forms) this.add(form);
  }

  add(form: SecretForm): void {
    const { hash, offset } = this.#rarestWindow(form.text);
    const others = this.#forms.get(hash);
    if (others?.some(({ text, isWord }) => text === form.text && isWord === form.isWord)) return;
    if (others === undefined) this.#forms.set(hash, [{ ...form, offset }]);
    else others.push({ ...form, offset });
    const bit = hash & this.#mask;
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  /** Whether a text has a form in it, at the ends of a word or within one. */
  has(text: string): boolean {
    let isFound = false;
    this.#scan(text, () => {
      isFound = true;
    });
    return isFound;
  }

  /** The parts to hide, in order and without overlaps. */
  find(text: string): TextRange[] {
    const found: TextRange[] = [];
    this.#scan(text, (start, { text: form, isWord }) => {
      const end = start + form.length;
      if (isWord && (isWordLetter(text, start - 1) || isWordLetter(text, end))) return;
      found.push({ start, end });
    });
    return found.length < 2 ? found : mergeRanges(found);
  }

  #scan(text: string, onFound: (start: number, form: Indexed) => void): void {
    const bits = this.#bits;
    const mask = this.#mask;
    let hash = 0;
    for (let at = 0; at < text.length; at += 1) {
      hash = (Math.imul(hash, base) + letterAt(text, at)) | 0;
      if (at >= windowLength) hash = (hash - Math.imul(leaving, letterAt(text, at - windowLength))) | 0;
      const bit = hash & mask;
      if (((bits[bit >>> 5] as number) & (1 << (bit & 31))) === 0) continue;
      for (const form of this.#forms.get(hash) ?? []) {
        const start = at - windowLength + 1 - form.offset;
        if (start >= 0 && isAt(text, start, form.text)) onFound(start, form);
      }
    }
  }

  /** From the end: keys of one provider begin alike. */
  #rarestWindow(text: string): { hash: number; offset: number } {
    let rarest = { hash: 0, offset: 0, count: Number.POSITIVE_INFINITY };
    for (let offset = text.length - windowLength; offset >= 0 && rarest.count > 0; offset -= 1) {
      let hash = 0;
      for (let at = offset; at < offset + windowLength; at += 1)
        hash = (Math.imul(hash, base) + letterAt(text, at)) | 0;
      const count = this.#forms.get(hash)?.length ?? 0;
      if (count < rarest.count) rarest = { hash, offset, count };
    }
    return rarest;
  }
}

/** `-` and `_` of the alphabet for URLs count as `+` and `/`. */
function letterAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 45) return 43;
  return code === 95 ? 47 : code;
}

function isAt(text: string, start: number, form: string): boolean {
  if (start + form.length > text.length) return false;
  for (let at = 0; at < form.length; at += 1)
    if (letterAt(text, start + at) !== letterAt(form, at)) return false;
  return true;
}

function isWordLetter(text: string, at: number): boolean {
  return /[a-z0-9]/i.test(text[at] ?? "");
}

/** Joins parts that overlap or touch, and puts them in order. */
export function mergeRanges(ranges: TextRange[]): TextRange[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}
