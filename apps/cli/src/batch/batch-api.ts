import { createWriteStream, openAsBlob } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { codeOf } from "@model-gateway/domain/failure-code";
import { listAt, objectAt } from "@model-gateway/runtime/json";
import { CommandError } from "../remote/command-error.js";
import { readText } from "../remote/read-text.js";
import type { RemoteCaller } from "../remote/remote-gateway.js";
import { type Pacing, withRetries } from "../remote/retry.js";
import { type RemoteBatch, readBatch } from "./batch.js";

interface CreateBatch {
  readonly fileId: string;
  readonly endpoint: string;
  /** How long the gateway keeps the output. Absent: its default. */
  readonly keepSeconds?: number;
}

interface UploadedInput {
  /** How long the gateway keeps the file. Absent: its default. */
  readonly keepSeconds?: number;
}

/** The newest batches of the key are searched, this many at most. */
const pageSize = 100;
const pagesMax = 5;
/** A page of batches, each with the faults of its file. */
const documentBytesMax = 64 * 1024 * 1024;

/** Files and batches of one key. Each call is repeated while the gateway restarts, and no batch is created twice. */
export class BatchApi {
  readonly #caller: RemoteCaller;
  readonly #retry: { readonly pacing: Pacing; readonly signal: AbortSignal };

  constructor(caller: RemoteCaller, retry: { readonly pacing: Pacing; readonly signal: AbortSignal }) {
    this.#caller = caller;
    this.#retry = retry;
  }

  /** Uploads a file, which is read as it is sent. Returns its id. */
  upload(path: string, { keepSeconds }: UploadedInput = {}): Promise<string> {
    return withRetries(async () => {
      const form = new FormData();
      form.set("purpose", "batch");
      if (keepSeconds !== undefined) {
        form.set("expires_after[anchor]", "created_at");
        form.set("expires_after[seconds]", String(keepSeconds));
      }
      form.set("file", await openAsBlob(path, { type: "application/jsonl" }), basename(path));
      const file = await this.#caller.transfer("/v1/files", { method: "POST", body: form }, readJson);
      return textAt(file, "id");
    }, this.#retry);
  }

  /** The batch of an input file. One that a lost call has created is found again. */
  create({ fileId, endpoint, keepSeconds }: CreateBatch): Promise<RemoteBatch> {
    const body = {
      input_file_id: fileId,
      endpoint,
      completion_window: "24h",
      ...(keepSeconds !== undefined && {
        output_expires_after: { anchor: "created_at", seconds: keepSeconds },
      }),
    };
    const init = {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    };
    return withRetries(
      async () =>
        (await this.#find(fileId)) ?? readBatch(await this.#caller.transfer("/v1/batches", init, readJson)),
      this.#retry,
    );
  }

  async retrieve(id: string): Promise<RemoteBatch> {
    const path = `/v1/batches/${encodeURIComponent(id)}`;
    return readBatch(await withRetries(() => this.#caller.transfer(path, {}, readJson), this.#retry));
  }

  /** Writes the content of a file to a path. The file is there when it is whole. */
  download(fileId: string, path: string): Promise<void> {
    const part = `${path}.part`;
    return withRetries(
      () =>
        this.#caller.transfer(`/v1/files/${encodeURIComponent(fileId)}/content`, {}, async ({ body }) => {
          // Node's own streams have the same methods as those of the DOM, and another type.
          const content = body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream);
          await pipeline(content, createWriteStream(part)).catch(explainWriting(path));
          await rename(part, path).catch(explainWriting(path));
        }),
      this.#retry,
    ).finally(() => rm(part, { force: true }));
  }

  /** Deletes files that are not needed any more. A failure does no harm, because they expire. */
  async remove(fileIds: readonly (string | null)[]): Promise<void> {
    for (const id of fileIds) {
      if (id === null) continue;
      const path = `/v1/files/${encodeURIComponent(id)}`;
      await this.#caller.transfer(path, { method: "DELETE" }, readJson).catch(() => undefined);
    }
  }

  async #find(fileId: string): Promise<RemoteBatch | undefined> {
    let after = "";
    for (let page = 0; page < pagesMax; page += 1) {
      const path = `/v1/batches?limit=${pageSize}${after === "" ? "" : `&after=${encodeURIComponent(after)}`}`;
      const list = await this.#caller.transfer(path, {}, readJson);
      const batches = listAt(list, "data").map(readBatch);
      const found = batches.find((batch) => batch.input_file_id === fileId && !isGivenUp(batch));
      if (found !== undefined || objectOf(list).has_more !== true) return found;
      after = batches.at(-1)?.id ?? "";
    }
    return undefined;
  }
}

/** Its lines may run again, in another batch. */
function isGivenUp({ status }: RemoteBatch): boolean {
  return ["failed", "expired", "cancelling", "cancelled"].includes(status);
}

async function readJson(response: Response): Promise<unknown> {
  const text = await readText(response, { bytesMax: documentBytesMax, from: response.url });
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`The response of ${response.url} is not JSON.`);
  }
}

function textAt(value: unknown, name: string): string {
  const text = objectOf(value)[name];
  if (typeof text !== "string" || text === "")
    throw new CommandError(`The gateway's response has no ${name}. It may be another program.`);
  return text;
}

function objectOf(value: unknown): Record<string, unknown> {
  return objectAt({ value }, "value");
}

/** A full disk is not a failure of the connection. */
function explainWriting(path: string): (failure: unknown) => never {
  return (failure) => {
    const code = codeOf(failure);
    if (!/^(ENOSPC|EDQUOT|EACCES|EPERM|ENOENT|EROFS|EIO|EISDIR)$/.test(code)) throw failure;
    throw new CommandError(
      `${path} cannot be written (${code}). Check its path, its permissions and the disk.`,
    );
  };
}
