import { createdImageBytes, createImage, createVectors, vectorIndex } from "../workloads/sample-data.js";

export type Encoding = "json" | "base64";

/** Complete HTTP replies, head and body in one buffer: sending one is a single write. */
export interface Replies {
  /** The vectors for the inputs with these numbers, in this order. */
  readonly embeddings: (numbers: readonly number[], encoding: Encoding) => Buffer;
  readonly image: Buffer;
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
  return {
    embeddings: (numbers, encoding) => {
      // The generator's own batches repeat. Batches that a gateway joins differ each time and are not kept.
      const key = batchKey(numbers, encoding);
      if (key === undefined) return write(numbers, encoding);
      const reply = written.get(key) ?? write(numbers, encoding);
      written.set(key, reply);
      return reply;
    },
    image: writeReply(200, `{"created":1790000000,"data":[{"b64_json":"${image}"}]}`),
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

function writeReply(status: 200 | 500, body: string): Buffer {
  const head = `HTTP/1.1 ${status} ${status === 200 ? "OK" : "Internal Server Error"}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}
