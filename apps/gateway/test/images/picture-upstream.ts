import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";

export interface PictureUpstream {
  readonly baseUrl: string;
  /** The bodies of the calls, as they came. */
  readonly calls: Record<string, unknown>[];
  close(): Promise<void>;
}

const black = (channels: 3 | 4) => ({ r: 0, g: 0, b: 0, ...(channels === 4 ? { alpha: 0 } : {}) });

/**
 * Draws a rectangle of the size, format and background that is asked for, and refuses what the real API refuses: as
 * gpt-image models do, or for models named `dall-e` as those did, with links to itself unless base64 is asked for.
 */
export async function startPictureUpstream(): Promise<PictureUpstream> {
  const calls: Record<string, unknown>[] = [];
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "image/png" }).end(await picture({ size: "64x64" }));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body: Record<string, unknown> = JSON.parse(Buffer.concat(chunks).toString());
    calls.push(body);
    const isDalle = body.model === "dall-e";
    const known = isDalle ? dalleParameters : gptParameters;
    const unknown = Object.keys(body).find((name) => !known.includes(name));
    response.setHeader("content-type", "application/json");
    if (unknown !== undefined) {
      response.writeHead(400).end(
        JSON.stringify({
          error: { message: `Unknown parameter: '${unknown}'.`, code: "unknown_parameter", param: unknown },
        }),
      );
      return;
    }
    const content = (await picture(body)).toString("base64");
    if (body.stream === true) return answerStream(body, content, response);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`;
    const one = isDalle && body.response_format !== "b64_json" ? { url } : { b64_json: content };
    response.end(
      JSON.stringify({
        created: 1,
        data: Array(Number(body.n ?? 1)).fill(one),
        ...(isDalle ? {} : { quality: "low" }),
      }),
    );
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const gptParameters = [
  "model",
  "prompt",
  "n",
  "size",
  "quality",
  "background",
  "moderation",
  "output_format",
  "output_compression",
  "stream",
  "partial_images",
  "user",
];
const dalleParameters = ["model", "prompt", "n", "size", "quality", "style", "response_format", "user"];

function answerStream(body: Record<string, unknown>, b64_json: string, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const common = {
    b64_json,
    created_at: 1,
    size: "?",
    quality: "low",
    background: "auto",
    output_format: body.output_format ?? "png",
  };
  const send = (event: { type: string }) =>
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  for (let index = 0; index < Number(body.partial_images ?? 0); index += 1) {
    send({ type: "image_generation.partial_image", ...common, ...{ partial_image_index: index } });
  }
  for (let index = 0; index < Number(body.n ?? 1); index += 1)
    send({ type: "image_generation.completed", ...common });
  response.end();
}

async function picture(body: Record<string, unknown>): Promise<Buffer> {
  const [width = 64, height = 64] = String(body.size ?? "64x64")
    .split("x")
    .map(Number);
  const channels = body.background === "transparent" ? 4 : 3;
  const drawn = sharp({
    create: { width: width || 64, height: height || 64, channels, background: black(channels) },
  });
  const format = String(body.output_format ?? "png") as "png" | "jpeg" | "webp";
  return drawn.toFormat(format).toBuffer();
}
