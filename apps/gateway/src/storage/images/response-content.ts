import { imageStoreUnavailable } from "@model-gateway/domain/errors";
import {
  createObjectName,
  type ExpiringObjects,
  parseObjectName,
  waitedFor,
} from "@model-gateway/object-store/expiring-objects";
import { joinBytes } from "@model-gateway/runtime/join-bytes";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";

interface ResponseContentOptions {
  /** Store for large responses. Without it, all are in the database. */
  readonly objects?: ExpiringObjects;
  /** Responses up to this size stay in the database. */
  readonly inlineBytesMax?: number;
  /** Called with failures that no request waits for. */
  readonly onFailure: (failure: unknown) => void;
}

const inlineBytesDefault = 16 * 1024;
/** No reference to an object is longer. */
export const referenceLengthMax = 64;

/**
 * The content of a database row: the text of a response, or a reference to its object in the bucket. A response that
 * the bucket refuses stays in the database, so that an outage loses none.
 */
export class ResponseContent {
  readonly #options: ResponseContentOptions;

  constructor(options: ResponseContentOptions) {
    this.#options = options;
  }

  /** Stores a text, and returns the content for the row. */
  async write(response: Buffer, expiresAt: number): Promise<string> {
    const { objects, inlineBytesMax = inlineBytesDefault, onFailure } = this.#options;
    if (objects === undefined || response.length <= inlineBytesMax) return response.toString();
    const name = createObjectName({ expiresAt, mark: 0, extension: "json" });
    try {
      // A caller waits: a bucket that is known to be down is not tried at length.
      await objects.checkWritable();
      await objects.put(name, response, { type: "application/json", ...waitedFor });
      return JSON.stringify({ object: name });
    } catch (failure) {
      onFailure(failure);
      return response.toString();
    }
  }

  /** The text of a row. Undefined if its object is gone. */
  async read(content: string): Promise<Buffer | undefined> {
    const name = objectOf(content);
    if (name === undefined) return Buffer.from(content);
    const { objects } = this.#options;
    try {
      if (objects === undefined) throw new Error("The response is in a bucket, and none is configured.");
      const object = await objects.get(name);
      return object && (await readAll(object.body));
    } catch (failure) {
      // The response exists. Without this error it would be bought again.
      throw imageStoreUnavailable(failure);
    }
  }

  /** Deletes the objects that rows referred to. One that cannot be deleted now is deleted when it expires. */
  async remove(contents: readonly string[]): Promise<void> {
    const { objects, onFailure } = this.#options;
    for (const content of contents) {
      const name = objectOf(content);
      if (name !== undefined) await objects?.delete(name).catch(onFailure);
    }
  }
}

/** `Buffer.concat` of large responses would take a whole event-loop turn. */
async function readAll(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return inSlices(joinBytes(chunks), new TimeSlice());
}

function objectOf(content: string): string | undefined {
  const name = /^\{"object":"([^"]*)"\}$/.exec(content)?.[1];
  return name === undefined || parseObjectName(name) === undefined ? undefined : name;
}
