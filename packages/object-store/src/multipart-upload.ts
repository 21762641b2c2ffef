import type { Dispatcher } from "undici";
import { elementsOf, type S3Client, textOf } from "./s3-client.js";
import { badReply, codeIn, readText, S3Error } from "./s3-error.js";

/** S3 takes no smaller parts, besides the last one. */
export const partBytesMin = 5 * 1024 * 1024;

const replyBytesMax = 4 * 1024 * 1024;
const uploadsListed = 1000;

/**
 * An object that is uploaded in parts. It exists once the upload is completed; until then it is in no list of objects.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
 */
export class MultipartUpload {
  readonly #client: S3Client;
  readonly #key: string;
  readonly #id: string;
  readonly #etags: string[] = [];
  #bytes = 0;

  private constructor(client: S3Client, key: string, id: string) {
    this.#client = client;
    this.#key = key;
    this.#id = id;
  }

  static async begin(client: S3Client, key: string, type: string): Promise<MultipartUpload> {
    const upload = { content: Buffer.alloc(0), type };
    const id = await client.send({ method: "POST", key, query: { uploads: "" }, upload }, async (reply) =>
      textOf(await resultOf(reply, "InitiateMultipartUploadResult"), "UploadId"),
    );
    if (id === "") throw badReply("an upload without an id");
    return new MultipartUpload(client, key, id);
  }

  /** Every part but the last has at least `partBytesMin`. */
  async add(content: Buffer): Promise<void> {
    const query = { partNumber: String(this.#etags.length + 1), uploadId: this.#id };
    const upload = { content, type: "application/octet-stream" };
    const etag = await this.#client.send({ method: "PUT", key: this.#key, query, upload }, async (reply) => {
      await readText(reply.body, replyBytesMax);
      return reply.headers.etag;
    });
    if (typeof etag !== "string") throw badReply("a part without an ETag");
    this.#etags.push(etag);
    this.#bytes += content.length;
  }

  async complete(): Promise<void> {
    const parts = this.#etags.map(
      (etag, index) =>
        `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag.replaceAll('"', "&quot;")}</ETag></Part>`,
    );
    const content = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
    const request = { method: "POST", key: this.#key, query: { uploadId: this.#id } } as const;
    try {
      await this.#client.send({ ...request, upload: { content, type: "application/xml" } }, (reply) =>
        resultOf(reply, "CompleteMultipartUploadResult"),
      );
    } catch (failure) {
      // The first attempt may have completed it, and its reply was lost.
      if (!isUnknownUpload(failure) || !(await this.#exists())) throw failure;
    }
  }

  async abort(): Promise<void> {
    await abortUpload(this.#client, { key: this.#key, id: this.#id });
  }

  async #exists(): Promise<boolean> {
    const object = await this.#client.get(this.#key);
    // It ends with an error, because it was not read.
    object?.body.on("error", () => undefined).destroy();
    return object?.bytes === this.#bytes;
  }
}

interface UnfinishedUpload {
  readonly key: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
}

/** Uploads with a prefix that were neither completed nor aborted, at most a thousand. */
export async function listUploads(client: S3Client, prefix: string): Promise<UnfinishedUpload[]> {
  const query = { uploads: "", prefix, "max-uploads": String(uploadsListed) };
  return client.send({ method: "GET", key: "", query }, async (reply) => {
    const text = await resultOf(reply, "ListMultipartUploadsResult");
    return elementsOf(text, "Upload").map((entry) => ({
      key: textOf(entry, "Key"),
      id: textOf(entry, "UploadId"),
      begunAt: Date.parse(textOf(entry, "Initiated")),
    }));
  });
}

/** Aborting an upload that is over succeeds. */
export async function abortUpload(
  client: S3Client,
  { key, id }: Pick<UnfinishedUpload, "key" | "id">,
): Promise<void> {
  try {
    await client.send({ method: "DELETE", key, query: { uploadId: id } }, async ({ body }) => {
      await readText(body, replyBytesMax);
    });
  } catch (failure) {
    if (!isUnknownUpload(failure)) throw failure;
  }
}

/** A reply of 200 may hold an error: S3 begins it before the outcome is known. */
async function resultOf({ statusCode, body }: Dispatcher.ResponseData, element: string): Promise<string> {
  const text = (await readText(body, replyBytesMax)) ?? "";
  if (new RegExp(`<${element}[\\s>]`).test(text)) return text;
  const code = codeIn(text);
  if (code === undefined) throw badReply(`no ${element}`);
  throw new S3Error(`The bucket replied with the status ${statusCode} and the code ${code}.`, {
    code,
    status: statusCode,
    isTransient: code === "InternalError" || code === "SlowDown",
  });
}

function isUnknownUpload(failure: unknown): boolean {
  return failure instanceof S3Error && failure.code === "NoSuchUpload";
}
