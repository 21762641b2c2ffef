import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser, openBrowser, type WatchedPage } from "../../../docs/test/open-browser.js";
import { type InProcessGateway, startGateway } from "../gateway/in-process.js";

const [width, height] = [32, 24];
/** The quadrants of the image: no two can be mistaken for each other. The first one may be transparent. */
const colours = [
  [200, 30, 60],
  [20, 160, 40],
  [30, 60, 210],
  [90, 90, 90],
] as const;
const alphas = { none: 255, opaque: 255, half: 128, transparent: 0 } as const;
type Alpha = keyof typeof alphas;

const sources = {
  png: (image: Sharp) => image.png({ adaptiveFiltering: true }),
  "interlaced png": (image: Sharp) => image.png({ progressive: true }),
  webp: (image: Sharp) => image.webp({ lossless: true }),
  jpeg: (image: Sharp) => image.flatten({ background: "white" }).jpeg({ quality: 95 }),
};

interface Cell {
  readonly alpha: Alpha;
  /** Whether the upstream reports the background. */
  readonly isSaid: boolean;
  readonly response_format: "b64_json" | "url";
  readonly output_format: "png" | "jpeg" | "webp" | undefined;
  readonly output_compression: number | undefined;
}

const cells: Cell[] = [];
for (const alpha of Object.keys(alphas) as Alpha[]) {
  for (const output_format of [undefined, "png", "jpeg", "webp"] as const) {
    const isLossy = output_format === "jpeg" || output_format === "webp";
    for (const output_compression of isLossy ? [undefined, 60] : [undefined]) {
      const cell = { alpha, output_format, output_compression };
      cells.push({ ...cell, isSaid: false, response_format: "url" });
      for (const isSaid of [true, false]) cells.push({ ...cell, isSaid, response_format: "b64_json" });
    }
  }
}

let upstream: Server;
let gateway: InProcessGateway;
let watched: WatchedPage;
/** The JSON that the upstream sends for a prompt. */
const replies = new Map<string, string>();

describeInBrowser("images as a browser decodes them", () => {
  beforeAll(async () => {
    upstream = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
      const { prompt } = (await json(request)) as { prompt: string };
      response.setHeader("content-type", "application/json");
      response.end(replies.get(prompt));
    }).listen(0, "127.0.0.1");
    await once(upstream, "listening");
    const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
    gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models: { image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] } }`);
    watched = await openBrowser();
  });
  afterAll(async () => {
    await watched.close();
    await gateway.stop();
    upstream.close();
  });

  test.each(Object.keys(sources) as (keyof typeof sources)[])(
    "the image of a %s is right in every format, envelope and compression, with its background named",
    async (source) => {
      const images: Buffer[] = [];
      for (const cell of cells) {
        const { content, background } = await create(source, cell);
        const isOpaque = source === "jpeg" || cell.output_format === "jpeg" || alphas[cell.alpha] === 255;

        expect(background, JSON.stringify(cell)).toBe(isOpaque ? "opaque" : "transparent");
        images.push(content);
      }

      const decoded = await decodeInBrowser(images);

      for (const [index, cell] of cells.entries()) {
        const label = `${source} ${JSON.stringify(cell)}`;
        const { size, onWhite, alpha } = decoded[index] ?? { size: "", onWhite: [], alpha: 0 };
        const isFlat = source === "jpeg" || cell.output_format === "jpeg";
        expect(size, label).toBe(`${width}x${height}`);
        expect(Math.abs(alpha - (isFlat ? 255 : alphas[cell.alpha])), label).toBeLessThan(4);
        for (const [at, value] of onWhite.entries())
          expect(Math.abs(value - (expectedOnWhite(cell.alpha)[at] ?? 0)), `${label} ${at}`).toBeLessThan(25);
      }
    },
    240_000,
  );
});

async function create(source: keyof typeof sources, cell: Cell) {
  const { alpha, isSaid, ...fields } = cell;
  const content = await sources[source](draw(alpha)).toBuffer();
  const truth = source === "jpeg" || alphas[alpha] === 255 ? "opaque" : "transparent";
  const prompt = JSON.stringify([source, cell]);
  const said = isSaid ? `,"background":"${truth}"` : "";
  replies.set(prompt, `{"created":5,"data":[{"b64_json":"${content.toString("base64")}"}]${said}}`);
  const response = await gateway.sendJson("/v1/images/generations", { model: "image", prompt, ...fields });
  expect(response.status, prompt).toBe(200);
  const { data, background } = (await response.json()) as {
    data: [{ b64_json?: string; url: string }];
    background: string;
  };
  const [{ b64_json, url }] = data;
  const delivered =
    b64_json === undefined
      ? Buffer.from(await (await fetch(url)).arrayBuffer())
      : Buffer.from(b64_json, "base64");
  return { content: delivered, background };
}

function draw(alpha: Alpha): Sharp {
  const channels = alpha === "none" ? 3 : 4;
  const pixels = Buffer.alloc(width * height * channels);
  for (let at = 0; at < width * height; at += 1) {
    const quadrant = Number(at % width >= width / 2) + 2 * Number(at >= (width * height) / 2);
    const colour = colours[quadrant] ?? [];
    const pixel = [...colour, quadrant === 0 ? alphas[alpha] : 255].slice(0, channels);
    pixels.set(pixel, at * channels);
  }
  return sharp(pixels, { raw: { width, height, channels } });
}

/** The colours of the four quadrants on a white background, one after the other. */
function expectedOnWhite(alpha: Alpha): number[] {
  return colours.flatMap((colour, quadrant) => {
    const opacity = quadrant === 0 ? alphas[alpha] / 255 : 1;
    return colour.map((value) => Math.round(value * opacity + 255 * (1 - opacity)));
  });
}

interface Decoded {
  readonly size: string;
  readonly onWhite: readonly number[];
  /** Of the first quadrant. */
  readonly alpha: number;
}

/** The part of a browser that decodes images. Only Node's types are known here. */
interface BrowserImages {
  readonly createImageBitmap: (content: Blob) => Promise<{ readonly width: number; readonly height: number }>;
  readonly OffscreenCanvas: new (width: number, height: number) => { getContext(kind: "2d"): Canvas | null };
}

interface Canvas {
  fillStyle: string;
  fillRect(x: number, y: number, width: number, height: number): void;
  drawImage(image: object, x: number, y: number): void;
  getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
}

/** Chromium's decoders share no code with those of the gateway. */
function decodeInBrowser(images: readonly Buffer[]): Promise<Decoded[]> {
  return watched.page.evaluate(
    async (texts) => {
      const { createImageBitmap, OffscreenCanvas } = globalThis as unknown as BrowserImages;
      const decode = async (text: string) => {
        const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes]));
        const read = (background: string | undefined, x: number, y: number) => {
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
          if (context === null) throw new Error("There is no canvas.");
          if (background !== undefined) {
            context.fillStyle = background;
            context.fillRect(0, 0, bitmap.width, bitmap.height);
          }
          context.drawImage(bitmap, 0, 0);
          return [...context.getImageData(x, y, 1, 1).data];
        };
        const [left, right] = [bitmap.width / 4, (bitmap.width * 3) / 4];
        const [top, bottom] = [bitmap.height / 4, (bitmap.height * 3) / 4];
        const centres = [
          [left, top],
          [right, top],
          [left, bottom],
          [right, bottom],
        ] as const;
        return {
          size: `${bitmap.width}x${bitmap.height}`,
          onWhite: centres.flatMap(([x, y]) => read("white", x, y).slice(0, 3)),
          alpha: read(undefined, left, top)[3] ?? 0,
        };
      };
      return Promise.all(texts.map(decode));
    },
    images.map((image) => image.toString("base64")),
  );
}
