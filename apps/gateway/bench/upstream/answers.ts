import { drawnBytes, makeImage } from "../pictures.js";
import { makeVectors, vectorIndex } from "../vectors.js";

export type Encoding = "json" | "base64";

/** Whole answers, head and body in one piece, so that answering is one write. */
export interface Answers {
  /** The vectors of inputs with these numbers, in this order. */
  readonly embeddings: (numbers: readonly number[], encoding: Encoding) => Buffer;
  readonly image: Buffer;
  /** An answer to a benchmark that sent what it should not. */
  readonly wrong: Buffer;
}

export async function prepareAnswers(): Promise<Answers> {
  const vectors = makeVectors();
  const known = new Map<string, Buffer>();
  const write = (numbers: readonly number[], encoding: Encoding) => {
    const items = numbers.map((number, index) => {
      const vector = vectors[vectorIndex(number)];
      const embedding = encoding === "json" ? vector?.json : `"${vector?.base64}"`;
      return `{"object":"embedding","index":${index},"embedding":${embedding}}`;
    });
    const usage = `{"prompt_tokens":${numbers.length * 20},"total_tokens":${numbers.length * 20}}`;
    return answer(200, `{"object":"list","data":[${items.join(",")}],"model":"any","usage":${usage}}`);
  };
  const image = (await makeImage(drawnBytes)).toString("base64");
  return {
    embeddings: (numbers, encoding) => {
      // Callers' own batches come again and again; what a gateway joins is different each time.
      const key = batchKey(numbers, encoding);
      if (key === undefined) return write(numbers, encoding);
      const answer = known.get(key) ?? write(numbers, encoding);
      known.set(key, answer);
      return answer;
    },
    image: answer(200, `{"created":1790000000,"data":[{"b64_json":"${image}"}]}`),
    wrong: answer(500, '{"error":{"message":"Not what the benchmark sends."}}'),
  };
}

/** A batch of the benchmark counts up by one, so that its first number and its size tell the whole. */
function batchKey(numbers: readonly number[], encoding: Encoding): string | undefined {
  const first = numbers[0] ?? 0;
  const isCounting = numbers.length === 1 || numbers.length === 100 || numbers.length === 2048;
  return isCounting && numbers.at(-1) === first + numbers.length - 1
    ? `${encoding} ${numbers.length} ${vectorIndex(first)}`
    : undefined;
}

function answer(status: 200 | 500, body: string): Buffer {
  const head = `HTTP/1.1 ${status} ${status === 200 ? "OK" : "Internal Server Error"}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}
