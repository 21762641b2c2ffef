import { connect } from "node:net";
import type { Random } from "@model-gateway/test-suite/random";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { jsonRequest, rawRequest } from "../../in-process/malformed/malformed-case.js";
import { boundary, encode, file, text } from "../../in-process/malformed/write-form.js";

/** When a caller leaves: before it has sent anything, within its request, while it waits, or within the response. */
const moments = ["connecting", "sending", "waiting", "reading"] as const;
type Moment = (typeof moments)[number];

export interface Departure {
  readonly request: Buffer;
  readonly moment: Moment;
  /** Number of request bytes that are sent. */
  readonly bytes: number;
  /** Time that it stays after that, or after the first byte of the response. */
  readonly afterMs: number;
  /** Time that it waits for a response before it leaves in the middle. */
  readonly waitMs?: number;
  /** Whether it resets the connection instead of closing it. */
  readonly isRude: boolean;
}

const usualWaitMs = 150;

/** @param patience How many times longer than usual it stays. */
export function chooseDeparture(random: Random, patience = 1): Departure {
  const request = random.pick(requests)(`text ${random.below(1_000_000_000)}`);
  const moment = random.pick([...moments, "waiting", "reading"] as const);
  return {
    request,
    moment,
    bytes: { connecting: 0, sending: random.below(request.length) }[moment as string] ?? request.length,
    afterMs: random.below(patience * (moment === "waiting" ? 80 : 5)),
    waitMs: patience * usualWaitMs,
    isRude: random.below(2) === 0,
  };
}

/** Connects, and leaves. */
export function leave(port: number, departure: Departure): Promise<void> {
  const { request, moment, bytes, afterMs, waitMs = usualWaitMs, isRude } = departure;
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const end = () => void (isRude ? socket.resetAndDestroy() : socket.destroy());
    const go = () => (afterMs === 0 ? end() : setTimeout(end, afterMs));
    const timer = setTimeout(() => socket.destroy(), waitMs);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
    socket.write(request.subarray(0, bytes));
    if (moment === "reading") socket.once("data", go);
    else go();
    socket.resume();
  });
}

const json = (path: string, body: object) => jsonRequest(path, JSON.stringify(body));
const edit = (more: readonly ReturnType<typeof text>[], image = tinyPng) => {
  const body = encode([text("model", "image"), text("prompt", "a"), ...more, file("image", image)]);
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  return rawRequest({ path: "/v1/images/edits", headers, body });
};

const editRequests = [
  edit([]),
  edit([text("stream", "true")]),
  edit([], Buffer.concat([tinyPng, Buffer.alloc(200_000)])),
];

/** Equal inputs share one call, which must outlive the callers that leave. Others have separate calls. */
const requests: readonly ((input: string) => Buffer)[] = [
  (input) => json("/v1/embeddings", { model: "text", input }),
  (input) => json("/v1/embeddings", { model: "text", input: Array(50).fill(input) }),
  (input) => json("/v1/embeddings", { model: "joined", input, encoding_format: "base64" }),
  () => json("/v1/embeddings", { model: "text", input: "the same" }),
  (input) => json("/v1/engines/text/embeddings", { input }),
  (prompt) => json("/v1/images/generations", { model: "image", prompt }),
  (prompt) => json("/v1/images/generations", { model: "image", prompt, stream: true, partial_images: 1 }),
  (prompt) => json("/v1/images/generations", { model: "image", prompt, n: 2, response_format: "url" }),
  ...editRequests.map((request) => () => request),
];
