import type { Readable } from "node:stream";
import { errorOf, errorQuoting, GatewayError } from "@model-gateway/domain/errors";
import type { RecordOwner } from "@model-gateway/domain/record-owner";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
import type { Request, Response } from "express";
import type { Descriptors } from "../../execution/descriptors.js";
import type { ArrivedFile } from "../../execution/handler.js";
import { CallerLeftError } from "../../execution/request-lifetime.js";
import { unknownParameter } from "../../execution/validation/fault-message.js";
import type { JsonSchema } from "../../execution/validation/json-schema.js";
import type { FileService, FileUpload } from "../../files/file-service.js";
import { arrivalOf } from "./arrival.js";
import type { FormProperties } from "./edit-form.js";
import { typedValue } from "./edit-form.js";
import { fieldsBytesMax, type IncomingFile, receiveForm } from "./read-form.js";
import type { SlowBodies } from "./slow-body.js";

interface FileForm {
  /** For the validator: typed fields, and an empty string for the file. */
  readonly body: Record<string, unknown>;
  /** Absent: the form has no file. */
  readonly file?: ArrivedFile;
  readonly bytes: number;
}

interface FileFormReaderOptions {
  readonly files: FileService;
  readonly descriptors: Pick<Descriptors, "reserveFiles">;
  readonly slowBodies: SlowBodies;
}

/** Bytes of a form around its file, at most. A file that just fits must not be refused for them. */
const formBytes = 4096;

/** A form whose file can be stored. */
interface BegunForm {
  read(schema: JsonSchema): Promise<FileForm>;
}

/** Reads the form of an upload. Its file goes to the store as it arrives, and is never whole in memory. */
export class FileFormReader {
  readonly #options: FileFormReaderOptions;

  constructor(options: FileFormReaderOptions) {
    this.#options = options;
  }

  /** The most bytes that a form can have. */
  get bytesMax(): number {
    return this.#options.files.fileBytesMax + fieldsBytesMax;
  }

  /** Rejects before anything is read if the file could not be stored. Bytes of a form that fails are removed. */
  async begin(request: Request, response: Response, owner: RecordOwner): Promise<BegunForm> {
    if (response.closed) throw new CallerLeftError();
    const { files, descriptors } = this.#options;
    const declared = Number(request.headers["content-length"] ?? 0);
    const reservation = descriptors.reserveFiles(1);
    const { lifetime } = arrivalOf(response);
    lifetime.whenDone(reservation.release);
    const upload = await files.begin(owner, Math.max(0, declared - formBytes));
    // A sweep removes leftovers.
    const remove = () => upload.abort().catch(() => undefined);
    lifetime.whenDone(() => void remove());
    const read = async (schema: JsonSchema): Promise<FileForm> => {
      try {
        return await this.#read(request, response, { upload, schema, declared });
      } catch (failure) {
        // The rest of the form may still arrive for a while.
        await remove();
        throw failure;
      }
    };
    return { read };
  }

  async #read(
    request: Request,
    response: Response,
    { upload, schema, declared }: { upload: FileUpload; schema: JsonSchema; declared: number },
  ): Promise<FileForm> {
    const { properties = {} } = schema;
    const { fields, files } = await receiveForm(request, response, {
      fileBytesMax: this.#options.files.fileBytesMax,
      filesMax: 1,
      filesName: "file",
      slowBodies: this.#options.slowBodies,
      keep: (file) => keepFile(file, { upload, properties }),
    });
    const [file] = files;
    // A client that fine-tunes sends other names as well: the purpose says more, and the spec refuses it.
    const isForBatch = properties.purpose?.enum?.includes(fields.purpose) === true;
    if (file?.kept.fault !== undefined && isForBatch) throw file.kept.fault;
    if ("file" in fields)
      throw errorOf("invalid_type", { param: "file", expected: "a file", actual: "text" });
    const body = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, typedField(name, value, properties)]),
    );
    if (file === undefined) return { body, bytes: declared };
    const { filename, bytes } = file.kept;
    return { body: { ...body, file: "" }, file: { filename, upload }, bytes: declared || bytes };
  }
}

interface KeptFile {
  readonly filename: string;
  readonly bytes: number;
  /** Why it was not stored. */
  readonly fault?: GatewayError;
}

async function keepFile(
  { name, filename, stream }: IncomingFile,
  { upload, properties }: { readonly upload: FileUpload; readonly properties: FormProperties },
): Promise<KeptFile> {
  try {
    if (name !== "file") throw misplacedFile(name, properties);
    const fault = faultOfFilename(filename);
    if (fault === undefined) return { filename, bytes: await store(stream, upload) };
    stream.resume();
    return { filename, bytes: 0, fault };
  } catch (failure) {
    // The rest is read and dropped, so that the form goes on.
    stream.resume();
    throw failure;
  }
}

/** Writes in slices of time: a fast disk would take 2 MB of a fast caller in one event-loop turn. */
async function store(stream: Readable, upload: FileUpload): Promise<number> {
  const slice = new TimeSlice();
  let bytes = 0;
  const chunks: AsyncIterable<Buffer> = stream.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    bytes += chunk.length;
    await upload.write(chunk);
    if (slice.isOver) await slice.yield();
  }
  return bytes;
}

const filenameLengthMax = 255;

/** Only inputs of batches are stored. The message is OpenAI's. */
function faultOfFilename(filename: string): GatewayError | undefined {
  if (!/\.jsonl$/i.test(filename))
    return new GatewayError("invalid_value", "Invalid file format for Batch API. Must be .jsonl", {
      param: "file",
    });
  const isLong = filename.length > filenameLengthMax;
  if (isLong || /[\p{Cc}\p{Cs}]/u.test(filename))
    return errorQuoting(
      "invalid_value",
      (name) =>
        `Invalid name of the file: '${name}'. It may have ${filenameLengthMax} characters, and no control characters.`,
      { value: filename.slice(0, filenameLengthMax), param: "file" },
    );
}

function misplacedFile(name: string, properties: FormProperties): GatewayError {
  if (!Object.hasOwn(properties, name)) return unknownParameter(name, Object.keys(properties));
  return errorOf("invalid_type", { param: name, expected: "text", actual: "a file" });
}

/** A field, or one of the fields in brackets after a name. A field that was sent twice is a list. */
function typedField(name: string, value: unknown, properties: FormProperties): unknown {
  if (Array.isArray(value)) throw errorOf("duplicate_parameter", { param: name });
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (typeof value !== "object" || value === null) return typedValue(value, schema);
  const { properties: inner = {} } = schema ?? {};
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, typedField(key, one, inner)]));
}
