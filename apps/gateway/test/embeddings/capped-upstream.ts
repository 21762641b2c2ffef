import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface CappedUpstream {
  readonly baseUrl: string;
  /** What each call asked. */
  readonly bodies: Readonly<Record<string, unknown>>[];
  /** How many inputs each call had. */
  readonly calls: number[];
  /** How many inputs each refused call had. */
  readonly refused: number[];
  close(): Promise<void>;
}

export interface CappedUpstreamOptions {
  readonly width: number;
  /** How many inputs one call may have; more are refused in the words of text-embeddings-inference. */
  readonly cap?: number;
  /** Answers in numbers even where base64 is asked for. */
  readonly onlyFloats?: boolean;
  /** Answers are held back until this settles. */
  readonly until?: Promise<void>;
}

/** An upstream with a limit that nobody has told the gateway of. */
export async function startCappedUpstream({
  width,
  cap = 2048,
  onlyFloats = false,
  until,
}: CappedUpstreamOptions): Promise<CappedUpstream> {
  const bodies: Readonly<Record<string, unknown>>[] = [];
  const calls: number[] = [];
  const refused: number[] = [];
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const { input, encoding_format } = body;
    bodies.push(body);
    await until;
    response.setHeader("content-type", "application/json");
    if (input.length > cap) {
      refused.push(input.length);
      const message = `batch size ${input.length} > maximum allowed batch size ${cap}`;
      response.writeHead(422).end(JSON.stringify({ message, code: 422, type: "Validation" }));
      return;
    }
    calls.push(input.length);
    const data = input.map((text, index) => {
      const floats = vectorOf(text, width);
      const asBase64 = encoding_format === "base64" && !onlyFloats;
      return {
        object: "embedding",
        index,
        embedding: asBase64 ? Buffer.from(floats.buffer).toString("base64") : [...floats],
      };
    });
    // The order of an answer is not the order of the inputs; only `index` says what is what.
    const usage = { prompt_tokens: input.join("").length, total_tokens: input.join("").length };
    response.end(JSON.stringify({ object: "list", data: data.reverse(), model: "capped", usage }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    bodies,
    calls,
    refused,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A unit vector that depends on the text alone. */
export function vectorOf(text: unknown, width: number): Float32Array {
  const hash = createHash("sha512").update(JSON.stringify(text)).digest();
  const values = Float32Array.from(
    { length: width },
    (_, index) => (hash[(index * 7 + (index >> 6)) % 64] ?? 0) - 127.5,
  );
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

async function readBody(
  request: IncomingMessage,
): Promise<{ input: unknown[]; encoding_format?: string; [name: string]: unknown }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
