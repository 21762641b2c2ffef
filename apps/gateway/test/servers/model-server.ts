import { hash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An upstream whose model can be replaced under its name. */
export interface ModelServer {
  readonly baseUrl: string;
  /** The model behind the name. Another one gives other vectors. */
  weights: string;
  /** Every request is refused with this status. */
  failsWith: number | undefined;
  /** Requests wait for it before their response. */
  hold: Promise<void>;
  /** All texts that were embedded. */
  readonly texts: string[];
  close(): Promise<void>;
}

export const width = 16;

export async function startModelServer(weights: string): Promise<ModelServer> {
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      await state.hold;
      response.setHeader("content-type", "application/json");
      if (state.failsWith !== undefined) {
        response.statusCode = state.failsWith;
        return response.end('{"error":{"message":"Not now."}}');
      }
      const { input, model } = JSON.parse(Buffer.concat(chunks).toString()) as {
        input: string[];
        model: string;
      };
      state.texts.push(...input);
      const data = input.map((text, index) => ({
        object: "embedding",
        index,
        embedding: vectorOf(text, state.weights),
      }));
      const usage = { prompt_tokens: 300, total_tokens: 300 };
      return response.end(JSON.stringify({ object: "list", data, model, usage }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const state: ModelServer = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    weights,
    failsWith: undefined,
    hold: Promise.resolve(),
    texts: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return state;
}

/** The vector that a model gives a text. */
export function vectorOf(text: string, weights: string): number[] {
  const bytes = hash("sha256", `${weights}\0${text}`, "buffer");
  return Array.from({ length: width }, (_, index) => (2 * (bytes[index] ?? 0) - 255) / 256);
}
