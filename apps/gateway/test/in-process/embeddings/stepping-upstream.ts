import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { vectorOf } from "../../fake-upstream/vectors.mjs";

/** A call that the upstream has received, and holds until it is released. */
export interface HeldCall {
  readonly inputs: readonly string[];
  release(): void;
}

/** An upstream for embeddings that replies when the test says so. */
export interface SteppingUpstream {
  readonly baseUrl: string;
  /** All calls in the order of their arrival. */
  readonly arrivals: readonly HeldCall[];
  /** The calls that are held now, the oldest first. */
  readonly held: readonly HeldCall[];
  /** The most calls that were held at once. */
  readonly heldMax: number;
  /** Resolves when so many calls have arrived in all. */
  untilArrived(count: number): Promise<void>;
  /** Releases every call, and from now on holds none. */
  releaseAll(): void;
  close(): Promise<void>;
}

export async function startSteppingUpstream(width: number): Promise<SteppingUpstream> {
  const arrivals: HeldCall[] = [];
  const held = new Set<HeldCall>();
  const waiting = new Set<() => void>();
  let heldMax = 0;
  let isHolding = true;

  const hold = (inputs: readonly string[], response: ServerResponse) => {
    const call: HeldCall = {
      inputs,
      release: () => {
        held.delete(call);
        response.setHeader("content-type", "application/json").end(replyTo(inputs, width));
      },
    };
    arrivals.push(call);
    held.add(call);
    heldMax = Math.max(heldMax, held.size);
    if (!isHolding) call.release();
    for (const check of waiting) check();
  };
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => hold(JSON.parse(Buffer.concat(chunks).toString()).input, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    arrivals,
    get held() {
      return [...held];
    },
    get heldMax() {
      return heldMax;
    },
    untilArrived: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (arrivals.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    releaseAll: () => {
      isHolding = false;
      for (const call of [...held]) call.release();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function replyTo(inputs: readonly string[], width: number): string {
  return JSON.stringify({
    object: "list",
    data: inputs.map((input, index) => ({ object: "embedding", index, embedding: vectorOf(input, width) })),
    model: "m",
    usage: { prompt_tokens: inputs.length, total_tokens: inputs.length },
  });
}
