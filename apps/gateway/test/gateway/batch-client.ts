import type { Schemas } from "@model-gateway/domain/operations";
import OpenAI from "openai";
import { expect } from "vitest";
import { testKey } from "./test-gateway.js";

/** A line of an output or error file. */
export interface ResultLine {
  readonly id: string;
  readonly custom_id: string;
  readonly response: {
    readonly status_code: number;
    readonly request_id: string;
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
    readonly body: any;
  } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export type BatchEndpoint = Schemas["BatchEndpoint"];

const ended = ["completed", "failed", "expired", "cancelled"];

/** Runs batches with OpenAI's client, as callers do. */
export class BatchClient {
  readonly openai: OpenAI;

  constructor(url: string, key = testKey) {
    this.openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
  }

  async create(lines: readonly object[], endpoint: BatchEndpoint = "/v1/embeddings"): Promise<string> {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const file = await this.openai.files.create({
      file: new File([text], "requests.jsonl"),
      purpose: "batch",
    });
    const request = { input_file_id: file.id, endpoint, completion_window: "24h" as const };
    return (await this.openai.batches.create(request)).id;
  }

  async retrieve(id: string): Promise<Schemas["Batch"]> {
    // The spec describes what the client types in its own words.
    return (await this.openai.batches.retrieve(id)) as unknown as Schemas["Batch"];
  }

  async untilEnded(id: string, timeout = 120_000): Promise<Schemas["Batch"]> {
    const status = async () => (await this.retrieve(id)).status;
    await expect.poll(status, { timeout, interval: 50 }).toSatisfy((one: string) => ended.includes(one));
    return this.retrieve(id);
  }

  /** Creates a batch and waits for its end. */
  async run(lines: readonly object[], endpoint?: BatchEndpoint): Promise<Schemas["Batch"]> {
    return this.untilEnded(await this.create(lines, endpoint));
  }

  async linesOf(fileId: string | null): Promise<ResultLine[]> {
    if (fileId === null) return [];
    const text = await (await this.openai.files.content(fileId)).text();
    expect(text.endsWith("\n")).toBe(true);
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as ResultLine);
  }
}

export function embeddingLines(count: number, model: string, prefix = "row"): object[] {
  return Array.from({ length: count }, (_, index) =>
    batchLine(`${prefix}-${index}`, { model, input: `text ${index} of ${prefix}` }),
  );
}

export function imageLines(count: number, model: string, body: object = {}): object[] {
  return Array.from({ length: count }, (_, index) =>
    batchLine(`image-${index}`, { model, prompt: `image-${index}`, ...body }, "/v1/images/generations"),
  );
}

export function batchLine(custom_id: string, body: object, url: BatchEndpoint = "/v1/embeddings"): object {
  return { custom_id, method: "POST", url, body };
}
