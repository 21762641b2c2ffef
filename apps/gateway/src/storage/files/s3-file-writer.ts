import { fileStoreUnavailable } from "@model-gateway/domain/errors";
import { MultipartUpload } from "@model-gateway/object-store/multipart-upload";
import type { BucketFolder } from "@model-gateway/object-store/open-bucket";
import type { FileWriter } from "../../files/file-store.js";

const type = "application/octet-stream";

/** Uploads a small file whole, and a large one in parts as they arrive. One part is in memory at a time. */
export class S3FileWriter implements FileWriter {
  readonly #bucket: BucketFolder;
  readonly #key: string;
  readonly #partBytes: number;
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;
  #bytes = 0;
  #upload: MultipartUpload | undefined;
  /** The part on its way. */
  #sending: Promise<void> | undefined;
  #isOver = false;

  constructor(
    bucket: BucketFolder,
    { key, partBytes }: { readonly key: string; readonly partBytes: number },
  ) {
    this.#bucket = bucket;
    this.#key = key;
    this.#partBytes = partBytes;
  }

  async write(chunk: Buffer): Promise<void> {
    if (this.#isOver) throw new Error("Nothing can be written after the end of a file.");
    this.#gathered.push(chunk);
    this.#gatheredBytes += chunk.length;
    this.#bytes += chunk.length;
    if (this.#gatheredBytes >= this.#partBytes) await this.#send(() => this.#addPart());
  }

  async commit(): Promise<{ readonly bytes: number }> {
    const { client } = this.#bucket;
    await this.#send(async () => {
      if (this.#upload === undefined) return client.put(this.#key, this.#take(), { type });
      if (this.#gatheredBytes > 0) await this.#addPart();
      await this.#upload.complete();
    });
    this.#isOver = true;
    return { bytes: this.#bytes };
  }

  async abort(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#gathered = [];
    // A part that arrives after the abort would be stored again.
    await this.#sending?.catch(() => undefined);
    // If the bucket is down, a sweep aborts it later.
    await this.#upload?.abort().catch(() => undefined);
  }

  async #addPart(): Promise<void> {
    this.#upload ??= await MultipartUpload.begin(this.#bucket.client, this.#key, type);
    await this.#upload.add(this.#take());
  }

  #take(): Buffer {
    const content = Buffer.concat(this.#gathered, this.#gatheredBytes);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    return content;
  }

  async #send(send: () => Promise<void>): Promise<void> {
    const { probe } = this.#bucket;
    this.#sending = send();
    try {
      await this.#sending;
      probe.succeeded();
    } catch (failure) {
      probe.failed(failure);
      throw fileStoreUnavailable(failure);
    }
  }
}
