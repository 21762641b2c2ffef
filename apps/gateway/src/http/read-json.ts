import type { Request } from "express";
import { GatewayError } from "../errors.js";

/** Reads a JSON body of bounded size, by its declared and by its counted length. */
export async function readJson(
  request: Request,
  bytesMax: number,
): Promise<{ value: unknown; bytes: number }> {
  if (Number(request.get("content-length") ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return { value: parse(Buffer.concat(chunks)), bytes };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw new GatewayError("invalid_json", "We could not parse the JSON body of your request.", { cause });
  }
}

function tooLarge(bytesMax: number): GatewayError {
  return new GatewayError(
    "content_too_large",
    `The request body is larger than the limit of ${bytesMax} bytes.`,
  );
}
