import { createHash } from "node:crypto";
import { createReadStream, existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { codeOf } from "@model-gateway/domain/failure-code";
import { isObject } from "@model-gateway/runtime/json";
import type { CommandPlace } from "../check.js";
import { UsageError } from "../command-line.js";
import type { CommandOf } from "../command-table.js";
import { createProgress, type Progress } from "../print/progress.js";
import type { Report, Terminal } from "../print/terminal.js";
import { CommandError } from "../remote/command-error.js";
import type { RemoteGateway } from "../remote/remote-gateway.js";
import { defaultPacing, type Pacing } from "../remote/retry.js";
import type { RemoteBatch } from "./batch.js";
import { BatchApi } from "./batch-api.js";
import { followBatch } from "./follow-batch.js";
import { reportBatch } from "./report-batch.js";
import { StateFile } from "./state-file.js";

export interface BatchPlace {
  readonly place: CommandPlace;
  readonly terminal: Terminal;
  readonly pacing?: Pacing;
}

/** Uploads a file, runs its lines as a batch, and downloads the results. Started again, it goes on where it was. */
export async function runBatch(
  command: CommandOf<"batch run">,
  gateway: RemoteGateway,
  { place, terminal, pacing = defaultPacing }: BatchPlace,
): Promise<Report> {
  const files = locate(command, place);
  const input = await inspect(files.input, command.input);
  const caller = gateway.asKey();
  // Without retries: a wrong address or key is reported at once.
  await caller.call((client, options) => client.retrieveOwnKey(options));
  const { signal } = terminal;
  const api = new BatchApi(caller, { pacing, signal });
  const progress = createProgress(terminal, command);
  const unlock = await new StateFile(files.state, isBatchState).lock();
  try {
    const begun = await begin(api, { command, gateway, files, input, progress });
    const batch = await followBatch(api, begun, { progress, pacing, signal }).catch((failure) => {
      throw unfinished(failure, { id: begun, state: files.state, isInterrupted: signal.aborted });
    });
    const written = await fetchResults(api, { batch, files, progress });
    new StateFile(files.state, isBatchState).remove();
    return reportBatch(batch, { ...written, terminal, endedAt: new Date() });
  } finally {
    unlock();
    progress.end();
  }
}

interface BatchFiles {
  readonly input: string;
  readonly output: string;
  readonly errors: string;
  readonly state: string;
}

function locate({ input, out, force }: CommandOf<"batch run">, place: CommandPlace): BatchFiles {
  if (out === undefined) throw new UsageError("batch run needs a file for the results: --out output.jsonl.");
  const output = resolve(place.workingDirectory, out);
  const errors = output.replace(/(\.jsonl)?$/, ".errors.jsonl");
  const state = `${output}.state`;
  const existing = [output, errors].find((path) => existsSync(path));
  // A run that was stopped in the middle of its downloads has left one of them.
  if (!force && existing !== undefined && !existsSync(state))
    throw new CommandError(`${existing} exists already. Use --force to overwrite it, or another --out.`);
  return { input: resolve(place.workingDirectory, input), output, errors, state };
}

interface InspectedInput {
  readonly digest: string;
  /** The path that the first line names. */
  readonly endpoint: string;
}

/** A line with an image may be long. */
const firstLineBytesMax = 100 * 1024 * 1024;

/** Reads the file once, for its digest and its first line. The gateway checks all lines. */
async function inspect(path: string, name: string): Promise<InspectedInput> {
  const hash = createHash("sha256");
  const first: Buffer[] = [];
  let firstBytes = 0;
  let isFirst = true;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      if (!isFirst) continue;
      const end = chunk.indexOf("\n");
      isFirst = end === -1;
      firstBytes += chunk.length;
      if (firstBytes > firstLineBytesMax) throw new CommandError(`The first line of ${name} is too long.`);
      first.push(isFirst ? chunk : chunk.subarray(0, end));
    }
  } catch (failure) {
    if (failure instanceof CommandError) throw failure;
    throw new CommandError(
      `${name} cannot be read (${codeOf(failure)}). Check its path and its permissions.`,
    );
  }
  return { digest: hash.digest("hex"), endpoint: endpointOf(Buffer.concat(first).toString(), name) };
}

function endpointOf(line: string, name: string): string {
  const form = '{"custom_id": "1", "method": "POST", "url": "/v1/embeddings", "body": {…}}';
  let request: unknown;
  try {
    request = JSON.parse(line);
  } catch {
    throw new CommandError(`The first line of ${name} is not JSON. A line has this form: ${form}`);
  }
  const url = isObject(request) ? request.url : undefined;
  if (typeof url !== "string")
    throw new CommandError(`The first line of ${name} has no url. A line has this form: ${form}`);
  return url;
}

/** The batch of a command that may have been stopped. */
interface BatchState {
  readonly gateway: string;
  readonly input_sha256: string;
  readonly file_id: string;
  /** Absent: the command was stopped before it knew the batch. */
  readonly batch_id?: string;
}

function isBatchState(value: unknown): value is BatchState {
  return (
    isObject(value) &&
    [value.gateway, value.input_sha256, value.file_id].every((field) => typeof field === "string") &&
    (value.batch_id === undefined || typeof value.batch_id === "string")
  );
}

interface Beginning {
  readonly command: CommandOf<"batch run">;
  readonly gateway: RemoteGateway;
  readonly files: BatchFiles;
  readonly input: InspectedInput;
  readonly progress: Progress;
}

/** The id of the batch: the one of an earlier run, or a new one. Each step is noted before the next one begins. */
async function begin(
  api: BatchApi,
  { command, gateway, files, input, progress }: Beginning,
): Promise<string> {
  const file = new StateFile(files.state, isBatchState);
  const earlier = file.read();
  if (earlier !== undefined) checkState(earlier, { command, gateway, input, path: files.state });
  if (earlier?.batch_id !== undefined) return earlier.batch_id;
  if (earlier === undefined) progress.show({ name: `Uploading ${command.input}` });
  const state = earlier ?? {
    gateway: gateway.url,
    input_sha256: input.digest,
    file_id: await api.upload(files.input),
  };
  file.write(state);
  const { id } = await api.create({ fileId: state.file_id, endpoint: input.endpoint });
  file.write({ ...state, batch_id: id });
  return id;
}

function checkState(
  state: BatchState,
  {
    command,
    gateway,
    input,
    path,
  }: Pick<Beginning, "command" | "gateway" | "input"> & { readonly path: string },
): void {
  const what = state.batch_id ?? "an earlier run";
  if (state.input_sha256 !== input.digest)
    throw new CommandError(
      `${command.input} has changed since ${what} began. Use another --out for it, or remove ${path} to forget that run.`,
    );
  if (state.gateway !== gateway.url)
    throw new CommandError(
      `${what} runs at ${state.gateway}, and not at ${gateway.url}. Remove ${path} to forget that run.`,
    );
}

interface Unfinished {
  readonly id: string;
  readonly state: string;
  readonly isInterrupted: boolean;
}

/** The batch goes on without the command, unless the gateway does not know it any more. */
function unfinished(failure: unknown, { id, state, isInterrupted }: Unfinished): unknown {
  if (!(failure instanceof CommandError)) return failure;
  return new CommandError(
    failure.isTransient || isInterrupted
      ? `${failure.message} The batch ${id} goes on at the gateway. The same command continues from here.`
      : `${failure.message} Remove ${state} to begin anew.`,
  );
}

interface Results {
  readonly batch: RemoteBatch;
  readonly files: BatchFiles;
  readonly progress: Progress;
}

async function fetchResults(
  api: BatchApi,
  { batch: { output_file_id, error_file_id }, files: { output, errors }, progress }: Results,
): Promise<{ readonly output: string | null; readonly errors: string | null }> {
  progress.show({ name: "Downloading the results" });
  if (output_file_id !== null) await api.download(output_file_id, output);
  if (error_file_id !== null) await api.download(error_file_id, errors);
  // With --force, a file of an earlier batch would look like one of this.
  if (output_file_id === null) rmSync(output, { force: true });
  if (error_file_id === null) rmSync(errors, { force: true });
  return {
    output: output_file_id === null ? null : output,
    errors: error_file_id === null ? null : errors,
  };
}
