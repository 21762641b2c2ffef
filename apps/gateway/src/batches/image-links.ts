import { Readable } from "node:stream";
import { recogniseFormat } from "@model-gateway/domain/image-header";
import type { ImageFormat } from "@model-gateway/domain/image-profile";
import { isObject, listAt } from "@model-gateway/runtime/json";
import { type FileRange, type FileStore, MissingFileError } from "../files/file-store.js";
import type { ImageStore, StoredImage } from "../images/delivery/image-store.js";
import type { SignedLinks } from "../images/delivery/signed-links.js";

/** Images of batch lines behind links. They are kept with the output file, and not with those of other requests. */
export interface ImageLinks {
  readonly files: Pick<FileStore, "create" | "read">;
  readonly signed: Pick<SignedLinks, "sign">;
  /** How long a link works. The image may be deleted sooner, with its output file. */
  readonly ttlMs: number;
}

/** The body as it runs: a line gets its images themselves, and puts them behind its own links. */
export function withoutLinks(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return body.response_format === "url" || body.response_format == null
    ? { ...body, response_format: "b64_json" }
    : body;
}

interface LinkedLine {
  readonly batchId: string;
  readonly line: { readonly line: number; readonly body: Readonly<Record<string, unknown>> };
  readonly origin: string;
  readonly links: ImageLinks;
}

/** The response of a line, and the bytes of the images behind its links. */
interface LinkedResponse {
  readonly body: Buffer;
  readonly linkedBytes: number;
}

/** The response of a line that asks for links: its images are stored, and replaced by links to them. */
export async function deliverLinks(
  response: Buffer,
  { batchId, line, origin, links }: LinkedLine,
): Promise<LinkedResponse> {
  if (line.body.response_format !== "url") return { body: response, linkedBytes: 0 };
  const document: unknown = JSON.parse(response.toString());
  const data: unknown[] = [];
  let linkedBytes = 0;
  for (const [index, image] of listAt(document, "data").entries()) {
    const { b64_json: base64, ...fields } = isObject(image) ? image : {};
    const content = Buffer.from(String(base64), "base64");
    const file = await storeImage(content, `${batchId}-${line.line}-${index}`, links.files);
    linkedBytes += content.length;
    data.push({ url: `${origin}${links.signed.sign(file, links.ttlMs).path}`, ...fields });
  }
  return { body: Buffer.from(JSON.stringify({ ...(document as object), data })), linkedBytes };
}

/** Stores an image under a name that says what it is: nothing else is known of it when its link is opened. */
async function storeImage(content: Buffer, name: string, files: ImageLinks["files"]): Promise<string> {
  const format = formatOf(content);
  const id = `image-${name}-${content.length}`;
  const writer = await files.create(id);
  try {
    await writer.write(content);
    await writer.commit();
  } finally {
    await writer.abort();
  }
  return `${id}.${format}`;
}

/** The image was verified before: it has one of the known formats. */
function formatOf(content: Buffer): ImageFormat {
  return recogniseFormat(content) ?? (content.toString("latin1", 0, 4) === "GIF8" ? "gif" : "svg");
}

const fileName = /^(image-batch_[0-9a-f]{24}-\d+-\d+-(\d+))\.(png|jpeg|webp|gif|svg)$/;

/** The batch of a stored image or part; undefined for other names. */
export function batchIdIn(fileId: string): string | undefined {
  return /^(?:image|part)-(batch_[0-9a-f]{24})-/.exec(fileId)?.[1];
}

/** Opens the images of batches besides those of other requests. */
export function withBatchImages(
  images: ImageStore,
  files: Pick<FileStore, "read">,
): Pick<ImageStore, "open"> {
  return {
    open: (file) => {
      const [, id, bytes, format] = fileName.exec(file) ?? [];
      if (id === undefined) return images.open(file);
      // The pattern has these formats only.
      return openImage(files, { id, bytes: Number(bytes), format: format as ImageFormat });
    },
  };
}

async function openImage(
  files: Pick<FileStore, "read">,
  { id, bytes, format }: Pick<StoredImage, "bytes" | "format"> & { readonly id: string },
): Promise<StoredImage | undefined> {
  try {
    (await files.read(id, { start: 0, end: 1 })).destroy();
  } catch (failure) {
    if (failure instanceof MissingFileError) return undefined;
    throw failure;
  }
  return {
    bytes,
    format,
    read: (range) => Readable.from(contentOf(files, id, range && { start: range.start, end: range.end + 1 })),
    close: async () => undefined,
  };
}

async function* contentOf(
  files: Pick<FileStore, "read">,
  id: string,
  range: FileRange | undefined,
): AsyncGenerator<Buffer> {
  yield* await files.read(id, range);
}
