import { createHash, randomBytes } from "node:crypto";

/** An object that arrives in parts. */
interface Upload {
  readonly key: string;
  readonly type: string;
  readonly begunAt: number;
  readonly parts: Map<number, Buffer>;
}

/** A reply of S3: XML, or nothing but headers. */
export interface UploadReply {
  readonly status: number;
  readonly error?: string;
  readonly xml?: string;
  readonly etag?: string;
}

export interface UploadRequest {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly type: string;
}

export interface S3UploadsOptions {
  readonly complete: (key: string, object: { content: Buffer; type: string; modifiedAt: number }) => void;
}

/** The multipart uploads of the small S3: it refuses parts that are too small, missing or changed, as S3 does. */
export class S3Uploads {
  readonly open = new Map<string, Upload>();
  /** Every part but the last has at least this many bytes. */
  partBytesMin = 5 * 1024 * 1024;
  readonly #options: S3UploadsOptions;

  constructor(options: S3UploadsOptions) {
    this.#options = options;
  }

  /** Makes every open upload older. */
  age(ms: number): void {
    for (const [id, upload] of this.open) this.open.set(id, { ...upload, begunAt: upload.begunAt - ms });
  }

  /** Undefined if the request is not about an upload in parts. */
  handle(request: UploadRequest): UploadReply | undefined {
    const { method, key, query } = request;
    const id = query.get("uploadId");
    if (query.has("uploads")) return method === "POST" ? this.#begin(request) : this.#list(query);
    if (id === null) return undefined;
    const upload = this.open.get(id);
    if (upload === undefined || upload.key !== key) return { status: 404, error: "NoSuchUpload" };
    if (method === "PUT") return addPart(upload, request);
    this.open.delete(id);
    return method === "DELETE" ? { status: 204 } : this.#complete(upload, request, id);
  }

  #begin({ key, type }: UploadRequest): UploadReply {
    const id = randomBytes(12).toString("base64url");
    this.open.set(id, { key, type, begunAt: Date.now(), parts: new Map() });
    const xml = `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`;
    return { status: 200, xml };
  }

  #list(query: URLSearchParams): UploadReply {
    const found = [...this.open].filter(([, { key }]) => key.startsWith(query.get("prefix") ?? ""));
    const entries = found.map(
      ([id, { key, begunAt }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(begunAt).toISOString()}</Initiated></Upload>`,
    );
    return {
      status: 200,
      xml: `<ListMultipartUploadsResult>${entries.join("")}</ListMultipartUploadsResult>`,
    };
  }

  /** S3 responds with 200 before it knows the outcome, and then writes an error into the body. */
  #complete(upload: Upload, { body }: UploadRequest, id: string): UploadReply {
    const refuse = (error: string): UploadReply => {
      this.open.set(id, upload);
      return { status: 200, xml: `<Error><Code>${error}</Code></Error>` };
    };
    const named = [...String(body).matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)].map(
      ([, part, etag = ""]) => ({ part: Number(part), etag: etag.replaceAll("&quot;", '"') }),
    );
    const contents = named.map(({ part, etag }) => {
      const content = upload.parts.get(part);
      return content !== undefined && etagOf(content) === etag ? content : undefined;
    });
    if (named.length === 0 || contents.includes(undefined)) return refuse("InvalidPart");
    if (contents.slice(0, -1).some((content) => (content?.length ?? 0) < this.partBytesMin))
      return refuse("EntityTooSmall");
    this.#options.complete(upload.key, {
      content: Buffer.concat(contents as Buffer[]),
      type: upload.type,
      modifiedAt: upload.begunAt,
    });
    return {
      status: 200,
      xml: `<CompleteMultipartUploadResult><Key>${upload.key}</Key></CompleteMultipartUploadResult>`,
    };
  }
}

function addPart(upload: Upload, { query, body }: UploadRequest): UploadReply {
  upload.parts.set(Number(query.get("partNumber")), body);
  return { status: 200, etag: etagOf(body) };
}

export function etagOf(content: Buffer): string {
  return `"${createHash("md5").update(content).digest("hex")}"`;
}
