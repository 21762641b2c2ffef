import { setTimeout } from "node:timers/promises";
import { inputText } from "../workloads/sample-data.js";
import type { KindName } from "./constants.js";
import { adminKey, type Replicas } from "./replicas.js";

/** Inputs that are in the cache after the warm-up. */
export const cachedInputs = 16;

/** Sends requests of each kind, each one different from those before. */
export class RequestSender {
  readonly #replicas: Replicas;
  #sent = 0;
  /** The keys in the database, with limits and a budget. */
  #keys: readonly string[] = [];

  constructor(replicas: Replicas) {
    this.#replicas = replicas;
  }

  /** Creates keys. The following requests of the kinds `limited` and `newKey` use them in turn. */
  async createKeys(count: number): Promise<void> {
    const keys: string[] = [];
    for (let number = 0; number < count; number += 1) {
      const body = {
        name: `bench ${number}`,
        limits: { requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, max_concurrency: 1000 },
        budget: { usd: 1_000_000, per: "month" },
      };
      const response = await this.#replicas.send(0, { path: "/admin/v1/keys", key: adminKey, body });
      keys.push(((await response.json()) as { value: string }).value);
    }
    this.#keys = keys;
  }

  /** Sends a request and reads its response. */
  async send(kind: KindName, replica: number, index: number): Promise<void> {
    this.#sent += 1;
    const number = 1000 + this.#sent;
    switch (kind) {
      case "embedding":
        return this.#embed(replica, { model: "plain", number });
      case "missed":
        return this.#embed(replica, { model: "cached", number });
      case "cached":
        return this.#embed(replica, { model: "cached", number: index % cachedInputs });
      case "limited":
      case "together":
      case "newKey":
        return this.#embed(replica, { model: "plain", number, key: this.#keys[index % this.#keys.length] });
      case "link":
        return this.#createImage(replica, { response_format: "url" });
      case "idempotent":
        return this.#createImage(replica, {}, { "idempotency-key": `bench-${number}` });
      case "job":
        return this.#runJob(replica);
      case "list":
        return this.#read(replica, "/admin/v1/requests?limit=20");
      case "line":
        throw new Error("Lines are sent by runBatch.");
    }
  }

  /** Runs a batch of embeddings to its end. */
  async runBatch(replica: number, lines: number): Promise<void> {
    const text = Array.from({ length: lines }, (_, index) =>
      JSON.stringify({
        custom_id: String(index),
        method: "POST",
        url: "/v1/embeddings",
        body: { model: "plain", input: inputText(index), encoding_format: "base64" },
      }),
    ).join("\n");
    const form = new FormData();
    form.set("purpose", "batch");
    form.set("file", new Blob([text]), "lines.jsonl");
    const file = await this.#replicas.send(replica, { path: "/v1/files", body: form });
    const { id: input_file_id } = (await file.json()) as { id: string };
    const body = { input_file_id, endpoint: "/v1/embeddings", completion_window: "24h" };
    const created = await this.#replicas.send(replica, { path: "/v1/batches", body });
    let batch = (await created.json()) as { id: string; status: string };
    while (batch.status !== "completed") {
      if (["failed", "expired", "cancelled"].includes(batch.status))
        throw new Error(`The batch is ${batch.status}: ${JSON.stringify(batch)}`);
      await setTimeout(250);
      const found = await this.#replicas.send(replica, { path: `/v1/batches/${batch.id}` });
      batch = (await found.json()) as { id: string; status: string };
    }
  }

  async #embed(
    replica: number,
    {
      model,
      number,
      key,
    }: { readonly model: string; readonly number: number; readonly key?: string | undefined },
  ): Promise<void> {
    const body = { model, input: inputText(number), encoding_format: "base64" };
    await finish(
      this.#replicas.send(replica, { path: "/v1/embeddings", body, ...(key !== undefined && { key }) }),
    );
  }

  async #createImage(
    replica: number,
    more: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const body = { model: "image", prompt: "a hat, RGB", ...more };
    await finish(this.#replicas.send(replica, { path: "/v1/images/generations", body, headers }));
  }

  async #runJob(replica: number): Promise<void> {
    const body = { model: "image", prompt: "a hat, RGB" };
    const headers = { prefer: "respond-async" };
    const created = await this.#replicas.send(replica, { path: "/v1/images/generations", body, headers });
    const { id } = (await created.json()) as { id: string };
    const found = await this.#replicas.send(replica, {
      path: `/v1/jobs/${id}`,
      headers: { prefer: "wait=30" },
    });
    const { status } = (await found.json()) as { status: string };
    if (status !== "completed") throw new Error(`The job is ${status}.`);
  }

  async #read(replica: number, path: string): Promise<void> {
    await finish(this.#replicas.send(replica, { path, key: adminKey }));
  }
}

async function finish(response: Promise<Response>): Promise<void> {
  await (await response).arrayBuffer();
}
