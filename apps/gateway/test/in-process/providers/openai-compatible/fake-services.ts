import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { readRequest } from "../../../fake-upstream/read-request.mjs";
import type { ReceivedRequest } from "../../../fake-upstream/script.js";
import { base64Of, countWords, unitVector } from "../unit-vectors.js";

/** A service with OpenAI's dialect, as its documentation describes it. Fields that are not named are refused. */
export interface FakeService {
  /** Its own address. The fake takes the path of it. */
  readonly address: string;
  /** Whether it refuses requests without a key. */
  readonly needsKey: boolean;
  readonly embeddings?: {
    /** The width of its vectors. */
    readonly native: number;
    /** Besides `model` and `input`. */
    readonly fields: readonly string[];
    /** Fields that it accepts and does nothing with. */
    readonly ignored?: readonly string[];
    readonly maxInputs?: number;
    readonly widths?: readonly number[];
    /** The words of a parameter that every request must have. */
    readonly required?: { readonly field: string; readonly words: readonly string[] };
    readonly hasUsage: boolean;
  };
  readonly images?: {
    /** Besides `model` and `prompt`. */
    readonly fields: readonly string[];
    readonly format: "png" | "jpeg";
    readonly envelope: "b64_json" | "url";
    readonly edits?: {
      readonly fields: readonly string[];
      /** The name of several images in a form. */
      readonly severalAs: "image" | "image[]";
      readonly hasMask: boolean;
    };
  };
}

export interface FakeServices {
  readonly origin: string;
  /** The requests that were accepted, by service. */
  readonly received: Map<string, ReceivedRequest[]>;
  close(): void;
}

export const fakeKey = "sk-service-0123456789";

/** All services in one server: the first part of a path names the service. */
export async function startFakeServices(
  services: Readonly<Record<string, FakeService>>,
): Promise<FakeServices> {
  const received = new Map<string, ReceivedRequest[]>();
  const server = createServer((request, response) =>
    readRequest(request, (got) => {
      const [, name = "", rest = ""] = /^\/([^/]+)(\/.*)$/.exec(got.path) ?? [];
      const service = services[name];
      if (rest.startsWith("/files/")) return sendImage(response, "png");
      const fault = service === undefined ? "no such service" : faultOf(got, rest, service);
      if (service === undefined || fault !== undefined) return refuse(response, fault ?? "");
      received.set(name, [...(received.get(name) ?? []), got]);
      answer(got, service, `${origin()}/${name}/files/1`).then(
        (body) => send(response, 200, body),
        (failure: unknown) => send(response, 500, { error: String(failure) }),
      );
    }),
  ).listen(0, "127.0.0.1");
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    origin: origin(),
    received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function faultOf(got: ReceivedRequest, path: string, service: FakeService): string | undefined {
  const { address, needsKey, embeddings, images } = service;
  if (needsKey && !hasKey(got.headers)) return "the key is wrong";
  const end = path.slice(pathOf(address).length);
  if (!path.startsWith(pathOf(address))) return `no path ${path}`;
  if (end === "/embeddings" && embeddings !== undefined) return embeddingFault(got.body, embeddings);
  if (end === "/images/generations" && images !== undefined)
    return unknownField(got.body, ["model", "prompt", ...images.fields]);
  if (end === "/images/edits" && images?.edits !== undefined) return editFault(got, images.edits);
  return `no path ${path}`;
}

export function pathOf(address: string): string {
  return new URL(address).pathname.replace(/\/$/, "");
}

function hasKey({ authorization }: IncomingHttpHeaders): boolean {
  return authorization === `Bearer ${fakeKey}`;
}

function embeddingFault(
  body: ReceivedRequest["body"],
  { fields, ignored = [], maxInputs = 2048, widths, required }: NonNullable<FakeService["embeddings"]>,
): string | undefined {
  const texts = [body.input].flat();
  if (texts.length > maxInputs) return `at most ${maxInputs} inputs`;
  if (widths !== undefined && body.dimensions !== undefined && !widths.includes(Number(body.dimensions)))
    return "this width is not possible";
  if (required !== undefined && !required.words.includes(String(body[required.field])))
    return `${required.field} is required`;
  return unknownField(body, ["model", "input", ...fields, ...ignored]);
}

function editFault(
  { body, parts }: ReceivedRequest,
  { fields, severalAs, hasMask }: NonNullable<NonNullable<FakeService["images"]>["edits"]>,
): string | undefined {
  const files = parts.filter(({ filename }) => filename !== undefined).map(({ name }) => name);
  const images = files.filter((name) => name !== "mask");
  if (images.length === 0) return "an image is required";
  if (images.some((name) => name !== (images.length === 1 ? "image" : severalAs)))
    return `images are called ${images.join()}`;
  if (files.includes("mask") && !hasMask) return "mask is not known";
  return unknownField(body, ["model", "prompt", ...fields]);
}

function unknownField(body: object, known: readonly string[]): string | undefined {
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  return unknown && `${unknown} is not known`;
}

async function answer(
  { path, body }: ReceivedRequest,
  { embeddings, images }: FakeService,
  link: string,
): Promise<object> {
  if (path.endsWith("/embeddings") && embeddings !== undefined) return embed(body, embeddings);
  const { format = "png", envelope = "b64_json" } = images ?? {};
  const one = envelope === "url" ? { url: link } : { b64_json: (await imageOf(format)).toString("base64") };
  return { created: 1, data: Array.from({ length: Number(body.n ?? 1) }, () => one) };
}

function embed(body: ReceivedRequest["body"], service: NonNullable<FakeService["embeddings"]>): object {
  const { native, fields, hasUsage } = service;
  const texts = [body.input].flat().map(String);
  const takes = (field: string) => fields.includes(field) && body[field] !== undefined;
  const width = takes("dimensions") ? Number(body.dimensions) : native;
  const isBase64 = takes("encoding_format") && body.encoding_format === "base64";
  const tokens = countWords(texts);
  return {
    object: "list",
    model: body.model,
    data: texts.map((text, index) => {
      const vector = unitVector(text, { width, native });
      return { object: "embedding", index, embedding: isBase64 ? base64Of(vector) : vector };
    }),
    ...(hasUsage ? { usage: { prompt_tokens: tokens, total_tokens: tokens } } : {}),
  };
}

function imageOf(format: "png" | "jpeg"): Promise<Buffer> {
  return sharp({ create: { width: 16, height: 16, channels: 3, background: "teal" } })
    .toFormat(format)
    .toBuffer();
}

function sendImage(response: ServerResponse, format: "png" | "jpeg"): void {
  void imageOf(format).then((content) => {
    response.writeHead(200, { "content-type": `image/${format}` });
    response.end(content);
  });
}

function refuse(response: ServerResponse, message: string): void {
  send(response, 400, { error: { message, type: "invalid_request_error", param: null, code: null } });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
