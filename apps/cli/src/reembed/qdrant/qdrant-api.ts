import { codeOf } from "@model-gateway/domain/failure-code";
import { isObject, listAt, objectAt } from "@model-gateway/runtime/json";
import { untilTimeout } from "@model-gateway/runtime/until-timeout";
import { CommandError } from "../../remote/command-error.js";
import { readText } from "../../remote/read-text.js";
import { type Pacing, withRetries } from "../../remote/retry.js";
import { readId } from "../jsonl/read-lines.js";
import type { RowId } from "../rows.js";

/** A page of points with long texts. */
const responseBytesMax = 256 * 1024 * 1024;

export interface QdrantOptions {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly pacing: Pacing;
  readonly signal: AbortSignal;
}

/** The vectors of a collection: one without a name, or several with names. */
export interface VectorParams {
  readonly size: number;
  readonly distance: string;
}

export interface Point {
  readonly id: RowId;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The calls of Qdrant's HTTP API that re-embedding needs. https://api.qdrant.tech */
export class QdrantApi {
  readonly name: string;
  readonly #root: string;
  readonly #options: QdrantOptions;
  /** Before the first reply, a failure is a wrong address rather than a restart. */
  #hasReplied = false;

  constructor(options: QdrantOptions) {
    const url = URL.canParse(options.url) ? new URL(options.url) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol))
      throw new CommandError("QDRANT_URL must be an address such as http://127.0.0.1:6333.");
    this.name = url.host;
    this.#root = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
    this.#options = options;
  }

  /** The vectors of a collection by name; the one without a name is "". Undefined if there is no such collection. */
  async vectors(collection: string): Promise<ReadonlyMap<string, VectorParams> | undefined> {
    const found = await this.#call("GET", pathOf(collection), { isMissing: undefined });
    if (found === undefined) return undefined;
    const { vectors } = objectAt(objectAt(found, "config"), "params");
    const named = isObject(vectors) && typeof vectors.size !== "number" ? vectors : { "": vectors };
    return new Map(
      Object.entries(named).flatMap(([name, params]) => {
        const { size, distance } = objectAt({ params }, "params");
        return typeof size === "number" ? [[name, { size, distance: String(distance) }] as const] : [];
      }),
    );
  }

  async createCollection(collection: string, vectors: unknown): Promise<void> {
    await this.#call("PUT", pathOf(collection), { body: { vectors } });
  }

  /** A page of points, and the id of the next one. */
  async scroll(
    collection: string,
    {
      offset,
      limit,
      field,
    }: { readonly offset: RowId | undefined; readonly limit: number; readonly field: string },
  ): Promise<{ readonly points: readonly Point[]; readonly next: RowId | null }> {
    const body = {
      limit,
      with_payload: [field],
      with_vector: false,
      ...(offset !== undefined && { offset }),
    };
    const page = await this.#call("POST", pathOf(collection, "points/scroll"), { body });
    const { next_page_offset: next } = objectAt({ page }, "page");
    return {
      points: listAt(page, "points").map(readPoint),
      next: typeof next === "string" || typeof next === "number" ? next : null,
    };
  }

  /** The points of these ids that are there. */
  async retrieve(
    collection: string,
    ids: readonly RowId[],
    { payload }: { readonly payload: boolean },
  ): Promise<readonly Point[]> {
    const body = { ids, with_payload: payload, with_vector: false };
    const points = await this.#call("POST", pathOf(collection, "points"), { body });
    return listAt({ points }, "points").map(readPoint);
  }

  async upsert(collection: string, points: readonly object[]): Promise<void> {
    await this.#call("PUT", pathOf(collection, "points?wait=true"), { body: { points } });
  }

  /** Replaces named vectors, and leaves the others. */
  async updateVectors(collection: string, points: readonly object[]): Promise<void> {
    await this.#call("PUT", pathOf(collection, "points/vectors?wait=true"), { body: { points } });
  }

  /** Adds fields to the payload of points, and leaves the others. */
  async setPayload(collection: string, payload: object, points: readonly RowId[]): Promise<void> {
    await this.#call("POST", pathOf(collection, "points/payload?wait=true"), { body: { payload, points } });
  }

  async count(collection: string): Promise<number> {
    const body = { exact: true };
    const counted = await this.#call("POST", pathOf(collection, "points/count"), { body });
    return Number(objectAt({ counted }, "counted").count);
  }

  async sample(collection: string, limit: number): Promise<readonly RowId[]> {
    const body = { query: { sample: "random" }, limit, with_payload: false };
    const found = await this.#call("POST", pathOf(collection, "points/query"), { body });
    return listAt(found, "points").map((point) => readPoint(point).id);
  }

  /** The nearest points of each point, without itself. */
  async nearest(
    collection: string,
    {
      ids,
      limit,
      using,
    }: { readonly ids: readonly RowId[]; readonly limit: number; readonly using: string | undefined },
  ): Promise<readonly (readonly RowId[])[]> {
    const searches = ids.map((query) => ({
      query,
      limit,
      with_payload: false,
      ...(using !== undefined && { using }),
    }));
    const found = await this.#call("POST", pathOf(collection, "points/query/batch"), { body: { searches } });
    return listAt({ found }, "found").map((one) => listAt(one, "points").map((point) => readPoint(point).id));
  }

  #call(method: string, path: string, { body, ...missing }: QdrantCall): Promise<unknown> {
    return withRetries(async () => {
      const { status, text } = await this.#send(method, path, body);
      const document = parse(text);
      const isSuccess = status >= 200 && status < 300;
      this.#hasReplied ||= isSuccess;
      if (status === 404 && "isMissing" in missing) return missing.isMissing;
      if (!isSuccess || !isObject(document)) throw this.#refusal(status, document);
      return document.result;
    }, this.#options);
  }

  async #send(
    method: string,
    path: string,
    body: unknown,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const { apiKey, signal, pacing } = this.#options;
    try {
      const response = await fetch(`${this.#root}${path}`, {
        method,
        headers: {
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(apiKey !== undefined && { "api-key": apiKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // The key must not go to another host.
        redirect: "error",
        signal: untilTimeout(signal, pacing.storeMs),
      });
      const from = `Qdrant at ${this.name}`;
      return {
        status: response.status,
        text: await readText(response, { bytesMax: responseBytesMax, from }),
      };
    } catch (failure) {
      if (signal.aborted) throw new CommandError("Interrupted.");
      throw failure instanceof CommandError ? failure : this.#unreachable(failure);
    }
  }

  #unreachable(failure: unknown): CommandError {
    const isLate = failure instanceof Error && failure.name === "TimeoutError";
    const cause = failure instanceof Error ? failure.cause : undefined;
    const reason = codeOf(cause) || (cause instanceof Error ? cause.message : String(failure));
    return new CommandError(
      isLate
        ? `Qdrant at ${this.name} has not responded within ${this.#options.pacing.storeMs / 1000} seconds.`
        : `Qdrant at ${this.name} cannot be reached (${reason}). Check QDRANT_URL.`,
      { isTransient: this.#hasReplied },
    );
  }

  #refusal(status: number, document: unknown): CommandError {
    const { error } = objectAt(document, "status");
    const reason = typeof error === "string" ? error : "The response is not that of Qdrant.";
    const hint = status === 401 || status === 403 ? " Set QDRANT_API_KEY." : "";
    return new CommandError(`Qdrant at ${this.name}: ${reason} (${status})${hint}`, {
      isTransient: this.#hasReplied && (status === 429 || status >= 500),
    });
  }
}

interface QdrantCall {
  readonly body?: unknown;
  /** The result if the response is a 404. */
  readonly isMissing?: undefined;
}

function pathOf(collection: string, rest?: string): string {
  return `/collections/${encodeURIComponent(collection)}${rest === undefined ? "" : `/${rest}`}`;
}

function readPoint(value: unknown): Point {
  const point = objectAt({ value }, "value");
  return { id: readId(point.id, "A point of Qdrant"), payload: objectAt(point, "payload") };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
