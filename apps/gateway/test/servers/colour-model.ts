import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import sharp from "sharp";
import { contentFault } from "../fake-upstream/contents.mjs";

export interface ColourModel {
  readonly baseUrl: string;
  close(): void;
}

/**
 * A server with OpenAI's API and the smallest model with texts and images in one space: an image has its mean colour, and
 * a text has the colours that it names.
 */
export async function startColourModel(): Promise<ColourModel> {
  const server = createServer(async (request, response) => {
    const { input } = (await json(request)) as { input: Input[] };
    const fault = input.map(contentFault).find((one) => one !== undefined);
    response.setHeader("content-type", "application/json");
    if (fault !== undefined) {
      response.writeHead(400).end(JSON.stringify({ error: { message: fault } }));
      return;
    }
    const vectors = await Promise.all(input.map(vectorOf));
    const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
    const usage = { prompt_tokens: input.length, total_tokens: input.length };
    response.end(JSON.stringify({ object: "list", data, model: "colours", usage }));
  });
  // A reused connection must not end while the next request is on its way.
  server.keepAliveTimeout = 120_000;
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Input = string | { readonly content: readonly Part[] };
interface Part {
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

const colours = ["red", "green", "blue"];

async function vectorOf(input: Input): Promise<number[]> {
  const parts = typeof input === "string" ? [{ text: input }] : input.content;
  const vectors = await Promise.all(parts.map((part: Part) => colourOf(part)));
  return colours.map((_, channel) => vectors.reduce((sum, vector) => sum + (vector[channel] ?? 0), 0));
}

async function colourOf({ text = "", image_url }: Part): Promise<number[]> {
  if (image_url === undefined) return colours.map((colour) => (text.includes(colour) ? 1 : 0.01));
  const base64 = image_url.url.slice(image_url.url.indexOf(",") + 1);
  const { channels } = await sharp(Buffer.from(base64, "base64")).removeAlpha().stats();
  return channels.map(({ mean }) => mean / 255);
}
