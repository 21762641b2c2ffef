import {
  createdImageBytes,
  createImage,
  createRgbaImage,
  createVectors,
  vectorIndex,
} from "../workloads/sample-data.js";

export type Encoding = "json" | "base64";

/** Complete HTTP replies, head and body in one buffer: sending one is a single write. */
export interface Replies {
  /** The vectors for the inputs with these numbers, in this order. */
  readonly embeddings: (numbers: readonly number[], encoding: Encoding) => Buffer;
  readonly image: Buffer;
  readonly images: (count: number) => Buffer;
  /** With an alpha channel, and the word that it is opaque. */
  readonly rgbaImage: Buffer;
  /** With an alpha channel, and without a word. */
  readonly silentRgbaImage: Buffer;
  /** Three partial images and the last one. */
  readonly imageStream: Buffer;
  /** A 500, for a request that the benchmark does not send. A proxy has altered it. */
  readonly unexpectedRequest: Buffer;
}

export async function prepareReplies(): Promise<Replies> {
  const vectors = createVectors();
  const written = new Map<string, Buffer>();
  const write = (numbers: readonly number[], encoding: Encoding) => {
    const items = numbers.map((number, index) => {
      const vector = vectors[vectorIndex(number)];
      const embedding = encoding === "json" ? vector?.json : `"${vector?.base64}"`;
      return `{"object":"embedding","index":${index},"embedding":${embedding}}`;
    });
    const usage = `{"prompt_tokens":${numbers.length * 20},"total_tokens":${numbers.length * 20}}`;
    return writeReply(200, `{"object":"list","data":[${items.join(",")}],"model":"any","usage":${usage}}`);
  };
  const image = (await createImage(createdImageBytes)).toString("base64");
  const imagesByCount = new Map<number, Buffer>();
  const rgba = (await createRgbaImage(createdImageBytes)).toString("base64");
  return {
    embeddings: (numbers, encoding) => {
      // The generator's own batches repeat. Batches that a gateway joins differ each time and are not kept.
      const key = batchKey(numbers, encoding);
      if (key === undefined) return write(numbers, encoding);
      const reply = written.get(key) ?? write(numbers, encoding);
      written.set(key, reply);
      return reply;
    },
    image: writeReply(200, writeImage(image)),
    images: (count) => {
      const reply = imagesByCount.get(count) ?? writeReply(200, writeImages(image, count));
      imagesByCount.set(count, reply);
      return reply;
    },
    rgbaImage: writeReply(200, writeImage(rgba, ',"background":"opaque"')),
    silentRgbaImage: writeReply(200, writeImage(rgba)),
    imageStream: writeReply(200, writeStream(image), "text/event-stream"),
    unexpectedRequest: writeReply(500, '{"error":{"message":"The benchmark does not send such a request."}}'),
  };
}

/** The numbers in a batch of the generator are consecutive: the first one and the size identify the batch. */
function batchKey(numbers: readonly number[], encoding: Encoding): string | undefined {
  const first = numbers[0] ?? 0;
  const isSentByGenerator = numbers.length === 1 || numbers.length === 100 || numbers.length === 2048;
  return isSentByGenerator && numbers.at(-1) === first + numbers.length - 1
    ? `${encoding} ${numbers.length} ${vectorIndex(first)}`
    : undefined;
}

function writeImage(base64: string, more = ""): string {
  return `{"created":1790000000,"data":[{"b64_json":"${base64}"}]${more}}`;
}

function writeImages(base64: string, count: number): string {
  const items = Array<string>(count).fill(`{"b64_json":"${base64}"}`);
  return `{"created":1790000000,"data":[${items.join()}]}`;
}

function writeStream(base64: string): string {
  const events = ["partial_image", "partial_image", "partial_image", "completed"].map((kind) => {
    const type = `image_generation.${kind}`;
    return `event: ${type}\ndata: {"type":"${type}","b64_json":"${base64}","created_at":1790000000}\n\n`;
  });
  return events.join("");
}

function writeReply(status: 200 | 500, body: string, type = "application/json"): Buffer {
  const head = `HTTP/1.1 ${status} ${status === 200 ? "OK" : "Internal Server Error"}\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}
