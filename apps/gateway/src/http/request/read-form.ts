import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { Request, Response } from "express";
import multer, { MulterError } from "multer";
import { GatewayError } from "../../errors.js";
import type { Descriptors } from "../descriptors.js";
import { CallerLeftError, contextOf } from "./request-context.js";

export interface Form {
  /** Text fields by name. A name that is repeated, or written `name[]`, has a list. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly FormFile[];
  readonly bytes: number;
}

export interface FormFile {
  /** The name of the part, as sent. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

export interface FormLimits {
  readonly fileBytesMax: number;
  readonly filesMax: number;
}

/** What a form needs of the machine. A form that it has no room for is refused before it is read. */
export interface FormResources {
  readonly descriptors: Pick<Descriptors, "reserveFiles">;
  readonly disk: { readonly checkRoom: (bytes: number) => void };
}

/** Beside its files, a form needs descriptors for its upload folder, the upstream, and its response where that is stored. */
const descriptorsBeside = 3;
const fieldBytesMax = 256 * 1024;
const fieldsMax = 64;

/** Reads multipart forms. Each form has its own folder, which is removed when the response is closed. */
export class FormReader {
  readonly #uploadDir: string;
  readonly #limits: FormLimits;
  readonly #resources: FormResources;

  constructor(uploadDir: string, limits: FormLimits, resources: FormResources) {
    this.#uploadDir = uploadDir;
    this.#limits = limits;
    this.#resources = resources;
  }

  /** The most bytes that a form can have. */
  get bytesMax(): number {
    const { filesMax, fileBytesMax } = this.#limits;
    return filesMax * fileBytesMax + fieldsMax * fieldBytesMax;
  }

  async read(request: Request, response: Response): Promise<Form> {
    const limits = this.#limits;
    const declared = Number(request.get("content-length") ?? 0);
    this.#resources.disk.checkRoom(declared);
    // All its files may be open at once. How many there are is known only when it was read.
    const reservation = this.#resources.descriptors.reserveFiles(descriptorsBeside + limits.filesMax);
    const destination = await folderUntilClosed(this.#uploadDir, response, reservation.release);
    await new Promise<void>((resolve, reject) => {
      const refuse = (failure: unknown) => reject(formError(failure, limits));
      const options = {
        storage: multer.diskStorage({ destination }),
        limits: multerLimits(limits),
        // `streamHandler` is missing from the types.
        streamHandler: (_request: Request, parser: Writable) => {
          refuseEarly(parser, refuse);
          request.pipe(parser);
        },
      } as multer.Options;
      multer(options).any()(request, response, (failure: unknown) => {
        if (failure === undefined || failure === null) resolve();
        else refuse(failure);
      });
    });
    const files = spooledFiles(request);
    reservation.reduce(descriptorsBeside + files.length);
    const fields: Record<string, unknown> = { ...request.body };
    return { fields, files, bytes: declared || files.reduce((sum, file) => sum + file.bytes, 0) };
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

async function folderUntilClosed(
  uploadDir: string,
  response: Response,
  onRemoved: () => void,
): Promise<string> {
  const folder = await createFolder(uploadDir).catch((failure: unknown) => {
    onRemoved();
    throw failure;
  });
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 }).finally(onRemoved);
  if (response.closed) {
    await remove();
    throw new CallerLeftError();
  }
  // `openSpool` removes what is left over at the next start.
  response.once("close", () => {
    void Promise.allSettled(contextOf(response).backgroundWork)
      .then(remove)
      .catch(() => undefined);
  });
  return folder;
}

/** The disk may have been full at the start, so that the folder of this process could not be created. */
async function createFolder(uploadDir: string): Promise<string> {
  await mkdir(uploadDir, { recursive: true });
  return mkdtemp(join(uploadDir, "form-"));
}

/**
 * Multer reports an error only after the whole body, which may never come, and silently drops a file without a filename.
 * Here both are refused at once.
 */
function refuseEarly(parser: Writable, refuse: (failure: unknown) => void): void {
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

function spooledFiles(request: Request): FormFile[] {
  const files = Array.isArray(request.files) ? request.files : [];
  return files.map((file) => ({ name: file.fieldname, path: file.path, bytes: file.size }));
}

function formError(failure: unknown, limits: FormLimits): unknown {
  if (failure instanceof GatewayError) return failure;
  if (!(failure instanceof MulterError)) {
    // Errors of the file system have a code. All others come from a form that cannot be parsed.
    const isFileSystemError = failure instanceof Error && "code" in failure;
    return isFileSystemError
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
      return new GatewayError("array_above_max_length", `The form has more than ${limits.filesMax} files.`, {
        param: "image",
      });
    default:
      return new GatewayError("invalid_form", `Invalid multipart form: ${failure.message}.`, param);
  }
}

function tooLarge(message: string, detail: { param?: string } = {}): GatewayError {
  return new GatewayError("content_too_large", message, detail);
}

/** This process, and a check whether another one is alive. */
export interface ProcessIdentity {
  readonly id: number;
  readonly isAlive: (id: number) => boolean;
}

/** Opens this process's own folder for the files of forms, and removes the folders of processes that have died. */
export async function openUploadFolder(dataDir: string, self: ProcessIdentity): Promise<string> {
  const root = join(dataDir, "form-spool");
  await mkdir(root, { recursive: true, mode: 0o700 });
  const abandoned = (await readdir(root)).filter((name) => /^\d+$/.test(name) && isDead(Number(name), self));
  await Promise.all(abandoned.map((name) => rm(join(root, name), { recursive: true, force: true })));
  const own = join(root, String(self.id));
  // On a full disk it is created with the first form that has room.
  await mkdir(own, { recursive: true }).catch(ignoreFullDisk);
  return own;
}

function ignoreFullDisk(failure: NodeJS.ErrnoException): void {
  if (failure.code !== "ENOSPC" && failure.code !== "EDQUOT") throw failure;
}

/** A folder with our own process id belongs to an earlier process that had the same id. */
function isDead(id: number, self: ProcessIdentity): boolean {
  return id === self.id || !self.isAlive(id);
}
