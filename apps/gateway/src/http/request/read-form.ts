import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { GatewayError } from "@model-gateway/domain/errors";
import { codeOf, isDiskFull } from "@model-gateway/domain/failure-code";
import { hasDied, type ProcessIdentity } from "@model-gateway/domain/process-identity";
import type { Request, Response } from "express";
import multer, { MulterError } from "multer";
import { CallerLeftError } from "../../execution/request-lifetime.js";
import { arrivalOf } from "./arrival.js";
import { paceChunks } from "./chunk-pace.js";
import { type FormResources, FormStore } from "./form-store.js";
import type { SlowBodies } from "./slow-body.js";
import type { Upload } from "./upload.js";

export interface Form {
  /** Text fields by name. A name that is repeated, or written `name[]`, has a list. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly FormFile[];
  readonly bytes: number;
}

export interface FormFile {
  /** The name of the part, as sent. */
  readonly name: string;
  readonly upload: Upload;
}

interface FormLimits {
  readonly fileBytesMax: number;
  readonly filesMax: number;
}

/** The files that a form may have. */
export interface FormShape {
  /** Default: that of the limits. */
  readonly filesMax?: number;
  /** The parameter that has the files. */
  readonly filesName: string;
}

const editShape: FormShape = { filesName: "image" };

const fieldBytesMax = 256 * 1024;
const fieldsMax = 64;
/** The most bytes of all fields of a form. */
export const fieldsBytesMax = fieldsMax * fieldBytesMax;

interface FormReaderResources extends FormResources {
  readonly slowBodies: SlowBodies;
}

/** Reads multipart forms. The files of a form are released when the response is closed and all work for it is done. */
export class FormReader {
  readonly #limits: FormLimits;
  readonly #resources: FormReaderResources;

  constructor(limits: FormLimits, resources: FormReaderResources) {
    this.#limits = limits;
    this.#resources = resources;
  }

  /** The most bytes that a form can have. */
  get bytesMax(): number {
    const { filesMax, fileBytesMax } = this.#limits;
    return filesMax * fileBytesMax + fieldsBytesMax;
  }

  async read(request: Request, response: Response, shape: FormShape = editShape): Promise<Form> {
    const declared = request.get("content-length");
    const store = this.#openStore(response, declared === undefined ? undefined : Number(declared));
    try {
      const { fields, files: kept } = await receiveForm(request, response, {
        ...this.#limits,
        ...shape,
        slowBodies: this.#resources.slowBodies,
        keep: (file) => store.keep(file.stream),
      });
      const files = kept.map(({ name, kept: upload }) => ({ name, upload }));
      const bytes = Number(declared) || files.reduce((sum, { upload }) => sum + upload.bytes, 0);
      return { fields, files, bytes };
    } catch (failure) {
      // The rest of the form may still arrive for a while.
      await store.release();
      throw failure;
    }
  }

  #openStore(response: Response, formBytes: number | undefined): FormStore {
    if (response.closed) throw new CallerLeftError();
    const store = new FormStore(formBytes, this.#resources);
    // `openUploadFolder` removes leftovers at the next start.
    arrivalOf(response).lifetime.whenDone(() => void store.release().catch(() => undefined));
    return store;
  }
}

interface ReceiveOptions<Kept> extends FormLimits {
  /** The parameter that has the files. */
  readonly filesName: string;
  /** Resolves when the whole file has arrived. If it rejects, the form is refused at once. */
  readonly keep: (file: IncomingFile) => Promise<Kept>;
  readonly slowBodies: Pick<SlowBodies, "refuse">;
}

export interface IncomingFile {
  /** The name of the part. */
  readonly name: string;
  readonly filename: string;
  readonly stream: Readable;
}

interface ReceivedForm<Kept> {
  readonly fields: Readonly<Record<string, unknown>>;
  /** In the order of their parts. */
  readonly files: readonly { readonly name: string; readonly kept: Kept }[];
}

/** Receives a form whose files are kept elsewhere. */
export async function receiveForm<Kept>(
  request: Request,
  response: Response,
  options: ReceiveOptions<Kept>,
): Promise<ReceivedForm<Kept>> {
  const receiving = new Promise<ReceivedForm<Kept>["files"]>((resolve, reject) => {
    const refuse = (failure: unknown) => reject(formError(failure, options));
    const files = new KeptFiles(options.keep, refuse);
    const multerOptions = {
      storage: files,
      limits: multerLimits(options),
      // Browsers and all clients write UTF-8.
      defParamCharset: "utf8",
      // `streamHandler` is missing from the types.
      streamHandler: (_request: Request, parser: Writable) => {
        refuseEarly(parser, refuse);
        request.pipe(parser);
        paceChunks(request, parser, refuse);
      },
    } as multer.Options;
    multer(multerOptions).any()(request, response, (failure: unknown) => {
      if (failure === undefined || failure === null) resolve(files.inOrder());
      else refuse(failure);
    });
  });
  const files = await options.slowBodies.refuse(request, receiving);
  return { fields: { ...request.body }, files };
}

/** Multer's storage engine. The owner of the files removes them, not multer. */
class KeptFiles<Kept> implements multer.StorageEngine {
  readonly #keep: ReceiveOptions<Kept>["keep"];
  readonly #refuse: (failure: unknown) => void;
  readonly #files: { readonly name: string; kept?: { readonly value: Kept } }[] = [];

  constructor(keep: ReceiveOptions<Kept>["keep"], refuse: (failure: unknown) => void) {
    this.#keep = keep;
    this.#refuse = refuse;
  }

  /** The files in the order of their parts. All of them are complete once the form is. */
  inOrder(): ReceivedForm<Kept>["files"] {
    return this.#files.flatMap(({ name, kept }) => (kept === undefined ? [] : [{ name, kept: kept.value }]));
  }

  _handleFile(_request: Request, file: Express.Multer.File, done: (failure?: unknown) => void): void {
    const { fieldname: name, originalname: filename, stream } = file;
    const entry: { readonly name: string; kept?: { readonly value: Kept } } = { name };
    this.#files.push(entry);
    this.#keep({ name, filename, stream }).then(
      (value) => {
        entry.kept = { value };
        done(null);
      },
      (failure: unknown) => {
        // Multer reports it only after the whole body.
        this.#refuse(failure);
        done(failure);
      },
    );
  }

  _removeFile(_request: Request, _file: Express.Multer.File, done: (failure: Error | null) => void): void {
    done(null);
  }
}

function multerLimits({ fileBytesMax, filesMax }: FormLimits) {
  return {
    fileSize: fileBytesMax,
    files: filesMax,
    fields: fieldsMax,
    fieldSize: fieldBytesMax,
    fieldNameSize: 100,
    parts: filesMax + fieldsMax,
    headerPairs: 20,
  };
}

/** Multer's parser, which is busboy. */
type FormParser = Writable & {
  /** Whether the last boundary has come. Its types leave it out, and a test fails without it. */
  readonly _complete?: unknown;
};

/**
 * Multer reports an error only after the whole body, which may never come, and silently drops a file without a filename.
 * Here both are refused at once, and parts after the last boundary: they count only if they come in one chunk with it, and
 * a firewall in front of the gateway has not looked at them.
 */
function refuseEarly(parser: FormParser, refuse: (failure: unknown) => void): void {
  const refuseAfterEnd = () => {
    if (parser._complete === true)
      refuse(new GatewayError("invalid_form", "The form has a part after its last boundary."));
  };
  parser.on("field", refuseAfterEnd);
  parser.on("file", refuseAfterEnd);
  parser.on("error", refuse);
  parser.on("partsLimit", () => refuse(new MulterError("LIMIT_PART_COUNT")));
  parser.on("filesLimit", () => refuse(new MulterError("LIMIT_FILE_COUNT")));
  parser.on("fieldsLimit", () => refuse(new MulterError("LIMIT_FIELD_COUNT")));
  parser.on("file", (name: string | undefined, stream: Readable, { filename }: { filename?: string }) => {
    stream.on("limit", () => refuse(new MulterError("LIMIT_FILE_SIZE", name)));
    if (name === undefined || filename) return;
    refuse(
      new GatewayError(
        "invalid_form",
        `The part '${name}' has no filename. Send it as a text field, or add a filename.`,
        { param: name },
      ),
    );
  });
}

function formError(failure: unknown, limits: FormLimits & { readonly filesName: string }): unknown {
  if (failure instanceof GatewayError) return failure;
  if (!(failure instanceof MulterError)) {
    // Errors of the file system have a code. All others come from a form that cannot be parsed.
    return codeOf(failure) !== ""
      ? failure
      : new GatewayError("invalid_form", "We could not parse the multipart form of your request.", {
          cause: failure,
        });
  }
  const param = failure.field === undefined ? {} : { param: failure.field };
  switch (failure.code) {
    case "LIMIT_FILE_SIZE":
      return tooLarge(
        `The file '${failure.field}' is larger than the limit of ${limits.fileBytesMax} bytes.`,
        param,
      );
    case "LIMIT_FIELD_VALUE":
      return tooLarge(
        `The field '${failure.field}' is larger than the limit of ${fieldBytesMax} bytes.`,
        param,
      );
    case "LIMIT_FILE_COUNT":
      return new GatewayError(
        "array_above_max_length",
        `The form has more than ${limits.filesMax === 1 ? "one file" : `${limits.filesMax} files`}.`,
        { param: limits.filesName },
      );
    default:
      return new GatewayError("invalid_form", `Invalid multipart form: ${failure.message}.`, param);
  }
}

function tooLarge(message: string, detail: { param?: string } = {}): GatewayError {
  return new GatewayError("content_too_large", message, detail);
}

/** Opens this process's folder for form files, and removes the folders of processes that have died. */
export async function openUploadFolder(dataDir: string, self: ProcessIdentity): Promise<string> {
  const root = join(dataDir, "form-spool");
  await mkdir(root, { recursive: true, mode: 0o700 });
  const abandoned = (await readdir(root)).filter((name) => /^\d+$/.test(name) && hasDied(Number(name), self));
  await Promise.all(abandoned.map((name) => rm(join(root, name), { recursive: true, force: true })));
  const own = join(root, String(self.id));
  // On a full disk it is created with the first form that has room.
  await mkdir(own, { recursive: true }).catch(ignoreFullDisk);
  return own;
}

function ignoreFullDisk(failure: unknown): void {
  if (!isDiskFull(failure)) throw failure;
}
