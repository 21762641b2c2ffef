import { toBase64 } from "./vectors.mjs";

/**
 * Replies that are well-formed and wrong. Each lie turns the true `data` of a reply into false ones.
 * @type {Readonly<Record<string, (data: Readonly<Record<string, unknown>>[]) => unknown[]>>}
 */
export const lies = {
  "one-short": (data) => data.slice(1),
  "one-more": (data) => [...data, { ...data[0], index: data.length }],
  empty: () => [],
  "same-index": (data) => data.map((item) => ({ ...item, index: 0 })),
  "index-out-of-range": (data) => data.map((item) => ({ ...item, index: Number(item.index) + 1 })),
  "index-as-text": (data) => data.map((item) => ({ ...item, index: String(item.index) })),
  "other-width": (data) => data.map((item) => ({ ...item, embedding: [1, 2, 3] })),
  "mixed-widths": (data) => [...data.slice(1), { ...data[0], embedding: [1, 2, 3] }],
  "null-for-a-number": (data) =>
    data.map((item) => ({ ...item, embedding: Array(widthOf(item)).fill(null) })),
  nan: (data) => data.map((item) => ({ ...item, embedding: Array(widthOf(item)).fill(Number.NaN) })),
  "nan-in-base64": (data) =>
    data.map((item) => ({ ...item, embedding: toBase64(Array(widthOf(item)).fill(Number.NaN)) })),
  "odd-base64": (data) => data.map((item) => ({ ...item, embedding: Buffer.alloc(30).toString("base64") })),
  "no-vector": (data) => data.map(({ embedding: _, ...item }) => item),
  "no-images": () => [],
  "empty-image": () => [{}],
  "text-for-an-image": (data) => data.map(() => ({ b64_json: "aGVsbG8=" })),
  "stream-error": () => [{ error: { message: "Blocked.", code: "moderation_blocked", param: null } }],
};

/** @param {Readonly<Record<string, unknown>>} item */
function widthOf({ embedding }) {
  if (Array.isArray(embedding)) return embedding.length;
  return Buffer.from(String(embedding), "base64").length / 4;
}
