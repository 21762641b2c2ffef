import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { ReceivedRequest } from "./fake-upstream.js";

interface Item {
  object: "embedding";
  index: number;
  embedding: unknown;
}

const nativeWidth = 8;

/** The lies, by the name of the model that tells them. */
const lies: Readonly<Record<string, (items: Item[]) => unknown[]>> = {
  "one-short": (items) => items.slice(1),
  "one-more": (items) => [...items, { ...items[0], index: items.length }],
  "same-index": (items) => items.map((item) => ({ ...item, index: 0 })),
  "index-out-of-range": (items) => items.map((item) => ({ ...item, index: item.index + 1 })),
  "other-width": (items) => items.map((item) => ({ ...item, embedding: [1, 2, 3] })),
  "not-a-number": (items) => items.map((item) => ({ ...item, embedding: Array(nativeWidth).fill(null) })),
  "nan-in-base64": (items) =>
    items.map((item) => ({ ...item, embedding: toBase64(Array(nativeWidth).fill(Number.NaN)) })),
  "odd-base64": (items) => items.map((item) => ({ ...item, embedding: Buffer.alloc(30).toString("base64") })),
  empty: () => [],
  reversed: (items) => [...items].reverse(),
};

export function answerEmbeddings(request: ReceivedRequest, response: ServerResponse): void {
  const { model, input, dimensions, encoding_format: encoding } = request.body;
  const inputs =
    typeof input === "string" || (Array.isArray(input) && typeof input[0] === "number")
      ? [input]
      : (input as unknown[]);
  const items = inputs.map((one, index): Item => {
    const vector = vectorOf(one, Number(dimensions ?? nativeWidth));
    return {
      object: "embedding",
      index,
      embedding: encoding === "base64" && model !== "only-floats" ? toBase64(vector) : vector,
    };
  });
  const data = lies[String(model)]?.(items) ?? items;
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      object: "list",
      data,
      model,
      usage: { prompt_tokens: inputs.length * 3, total_tokens: inputs.length * 3 },
    }),
  );
}

/** A vector that depends on the input alone, in values that float32 holds exactly. */
export function vectorOf(input: unknown, width: number): number[] {
  const hash = createHash("sha512").update(JSON.stringify(input)).digest();
  return Array.from({ length: width }, (_, index) => ((hash[index % hash.length] ?? 0) - 128) / 256);
}

function toBase64(values: readonly number[]): string {
  return Buffer.from(Float32Array.from(values).buffer).toString("base64");
}
