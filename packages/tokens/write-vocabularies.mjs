/**
 * Writes OpenAI's vocabularies into `dist/vocabularies`, from the data of gpt-tokenizer: the package has each of them in
 * five forms, 30 MB, and is not installed with the gateway. The form of the files is that of `read-vocabulary.ts`.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { getEncodingParams } from "gpt-tokenizer/modelParams";

/** @typedef {import("@model-gateway/domain/model").VocabularyName} VocabularyName */

const require = createRequire(import.meta.url);
const folder = join(import.meta.dirname, "dist/vocabularies");
/** The length of a token is one byte. */
const tokenBytesMax = 255;
/** @satisfies {readonly VocabularyName[]} */
const names = /** @type {const} */ (["cl100k_base", "o200k_base", "p50k_base", "r50k_base"]);

mkdirSync(folder, { recursive: true });
for (const name of names) writeFileSync(join(folder, `${name}.bin`), fileOf(name));

/** @param {VocabularyName} name */
function fileOf(name) {
  const tokens = readTokens(require.resolve(`gpt-tokenizer/data/${name}.tiktoken`));
  if (tokens.some(({ length }) => length > tokenBytesMax)) throw new Error(`${name} has a longer token.`);
  const { specialTokensEncoder } = getEncodingParams(name, () => []);
  const header = { ids: tokens.length, specialTokens: Array.from(specialTokensEncoder) };
  const lengths = Uint8Array.from(tokens, ({ length }) => length);
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), lengths, ...tokens]);
}

/**
 * The tokens by id. An id without a token has no bytes.
 *
 * @param {string} file Its lines have a token in base64 and its id.
 */
function readTokens(file) {
  /** @type {Buffer[]} */
  const tokens = [];
  for (const line of readFileSync(file, "latin1").split("\n")) {
    const [token = "", id] = line.split(" ");
    if (id !== undefined) tokens[Number(id)] = Buffer.from(token, "base64");
  }
  return Array.from(tokens, (token) => token ?? Buffer.alloc(0));
}
