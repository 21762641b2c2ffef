import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { VocabularyName } from "../../domain/model.js";
import { TimeSlice } from "../../runtime/time-slice.js";
import { TokenTable } from "./token-table.js";

/** The tokens of a vocabulary, and the names of special tokens by id. */
export interface VocabularyTokens {
  readonly table: TokenTable;
  readonly specialTokens: ReadonlyMap<number, string>;
}

/** Reads a vocabulary in time slices. The package's own module blocks its thread for 200 ms. */
export async function readVocabulary(name: VocabularyName): Promise<VocabularyTokens> {
  const file = createRequire(import.meta.url).resolve(`gpt-tokenizer/data/${name}.tiktoken`);
  const { bytes, starts } = await readTokens(await readFile(file));
  // Loaded on demand: most gateways count no tokens.
  const { getEncodingParams } = await import("gpt-tokenizer/modelParams");
  const { specialTokensEncoder } = getEncodingParams(name, () => []);
  return {
    table: await TokenTable.build(bytes, starts),
    specialTokens: new Map(Array.from(specialTokensEncoder, ([text, id]) => [id, text])),
  };
}

const space = 0x20;
const newline = 0x0a;
const padding = 0x3d;
const zero = 0x30;
const base64Digits = new Uint8Array(256);
for (const [value, digit] of Array.from(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
).entries())
  base64Digits[digit.charCodeAt(0)] = value;

function isDigit(byte: number | undefined): byte is number {
  return byte !== undefined && byte !== space && byte !== padding;
}

/**
 * A line has a token in base64 and its id. The lines are in id order. Read byte by byte: a string for each of 200,000
 * tokens takes twice the time of everything else.
 */
async function readTokens(file: Uint8Array): Promise<{ bytes: Uint8Array; starts: Uint32Array }> {
  const slice = new TimeSlice();
  const bytes = new Uint8Array(file.length);
  const starts: number[] = [];
  let length = 0;
  for (let at = 0; at < file.length; at += 1) {
    const start = length;
    let bits = 0;
    for (let bitCount = 0; isDigit(file[at]); at += 1) {
      bits = (bits << 6) | (base64Digits[file[at] ?? 0] ?? 0);
      bitCount += 6;
      if (bitCount < 8) continue;
      bitCount -= 8;
      bytes[length++] = bits >> bitCount;
    }
    while (at < file.length && file[at] !== space) at += 1;
    let id = 0;
    for (at += 1; file[at] !== newline && at < file.length; at += 1) id = id * 10 + (file[at] ?? 0) - zero;
    while (starts.length <= id) starts.push(start);
    if (id % 256 === 0 && slice.isOver) await slice.yield();
  }
  starts.push(length);
  return { bytes: bytes.slice(0, length), starts: Uint32Array.from(starts) };
}
