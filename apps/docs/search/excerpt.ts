import { normalize, tokenize } from "./tokenize.js";

/** A piece of an excerpt. */
export interface ExcerptPart {
  readonly text: string;
  readonly isHit: boolean;
}

const lengthMax = 160;
/** Some words before the first hit, so that it can be understood. */
const leadLength = 40;
const word = /[\p{L}\p{N}_.-]+/gu;

/**
 * The part of a text with the most of the terms, in pieces. A text without any of them gives its beginning.
 *
 * @param terms As the index has them.
 */
export function excerptOf(text: string, terms: ReadonlySet<string>): ExcerptPart[] {
  const hits = [...text.matchAll(word)].flatMap(({ 0: found, index }) => {
    const term = tokenize(found)
      .map(normalize)
      .find((one) => terms.has(one));
    return term === undefined
      ? []
      : [{ term, start: index, end: index + found.replace(/[._-]+$/, "").length }];
  });
  const begin = beginOf(text, hits);
  const end = text.length <= begin + lengthMax ? text.length : lastSpace(text, begin + lengthMax);
  const parts: ExcerptPart[] = [];
  let at = begin;
  for (const { start, end: hitEnd } of hits.filter((hit) => hit.start >= begin && hit.end <= end)) {
    if (start > at) parts.push({ text: text.slice(at, start), isHit: false });
    parts.push({ text: text.slice(start, hitEnd), isHit: true });
    at = hitEnd;
  }
  if (at < end) parts.push({ text: text.slice(at, end), isHit: false });
  return [...dots(begin > 0), ...parts, ...dots(end < text.length)];
}

interface Hit {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** The excerpt begins before the hit that has the most different terms behind it. */
function beginOf(text: string, hits: readonly Hit[]): number {
  let best = { count: 0, start: 0 };
  for (const [index, { start }] of hits.entries()) {
    const near = hits.slice(index).filter((hit) => hit.end <= start + lengthMax - leadLength);
    const count = new Set(near.map(({ term }) => term)).size;
    const isCloser = count > 1 && count === best.count && start < best.start + lengthMax;
    if (count > best.count || isCloser) best = { count, start };
  }
  if (best.start <= leadLength) return 0;
  return text.indexOf(" ", best.start - leadLength) + 1;
}

function lastSpace(text: string, before: number): number {
  const found = text.lastIndexOf(" ", before);
  return found <= 0 ? before : found;
}

function dots(isCut: boolean): ExcerptPart[] {
  return isCut ? [{ text: "…", isHit: false }] : [];
}
