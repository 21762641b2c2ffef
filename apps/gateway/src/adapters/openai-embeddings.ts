import type { EmbeddingAnswer } from "../domain/requests.js";
import { Vector } from "../domain/vector.js";
import { GatewayError } from "../errors.js";
import { countNumbers } from "./check-numbers.js";
import { EmbeddingsReader, type RawVector } from "./embeddings-reader.js";

/** Reads an embeddings answer while it arrives. Vectors may be numbers or base64, whatever was asked for. */
export async function readEmbeddings(chunks: AsyncIterable<Buffer>): Promise<EmbeddingAnswer> {
  const reader = new EmbeddingsReader();
  for await (const chunk of chunks) reader.push(chunk);
  const { skeleton, vectorAt } = reader.end();
  const answer = parse(skeleton);
  if (!isObject(answer) || !Array.isArray(answer.data)) throw invalid("it has no `data`");
  const usage = isObject(answer.usage) ? answer.usage : {};
  return {
    items: answer.data.map((item: unknown, position) => {
      if (!isObject(item)) throw invalid(`data[${position}] is not an object`);
      const index = item.index ?? position;
      if (typeof index !== "number") throw invalid(`data[${position}].index is not a number`);
      return { index, vector: readVector(vectorAt(item.embedding), position) };
    }),
    promptTokens: typeof usage.prompt_tokens === "number" ? usage.prompt_tokens : 0,
  };
}

function readVector(raw: RawVector | undefined, position: number): Vector {
  if (raw?.encoding === "base64") return Vector.fromBase64(withoutEscapes(raw.content));
  const width = raw === undefined ? undefined : countNumbers(raw.content);
  if (raw === undefined || width === undefined)
    throw invalid(`data[${position}].embedding is neither numbers nor base64`);
  return Vector.fromJson(raw.content, width);
}

/** JSON may write the slash of base64 with a backslash before it. */
function withoutEscapes(base64: Buffer): Buffer {
  return base64.includes(92)
    ? Buffer.from(base64.toString("latin1").replaceAll("\\/", "/"), "latin1")
    : base64;
}

function parse(skeleton: string): unknown {
  try {
    return JSON.parse(skeleton);
  } catch (cause) {
    throw new GatewayError("upstream_invalid_answer", "The upstream's answer is not valid JSON.", { cause });
  }
}

function invalid(reason: string): GatewayError {
  return new GatewayError("upstream_invalid_answer", `The upstream's answer is not valid: ${reason}.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
