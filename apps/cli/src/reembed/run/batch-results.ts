import { isObject, objectAt } from "@model-gateway/runtime/json";
import { CommandError } from "../../remote/command-error.js";
import { parseLine, readLines } from "../jsonl/read-lines.js";

/** The result of one line: a vector, or the reason why there is none. */
interface LineResult {
  readonly customId: string;
  /** Undefined if the line failed. */
  readonly embedding: Float32Array | undefined;
  readonly failure: LineFailure | undefined;
}

export interface LineFailure {
  readonly code: string;
  readonly message: string;
  /** Whether the line may succeed in another batch. */
  readonly isTransient: boolean;
}

/** Reads the output file or the error file of a batch, line by line. */
export async function* readResults(path: string): AsyncGenerator<LineResult, void, undefined> {
  for await (const line of readLines(path)) {
    const result = parseLine(line, path);
    const { custom_id: customId } = result;
    if (typeof customId !== "string") throw new CommandError("A result of the batch has no custom_id.");
    const response = objectAt(result, "response");
    const isSuccess = response.status_code === 200;
    yield {
      customId,
      embedding: isSuccess ? vectorOf(objectAt(response, "body"), customId) : undefined,
      failure: isSuccess ? undefined : failureOf(result),
    };
  }
}

function vectorOf(body: Record<string, unknown>, customId: string): Float32Array {
  const [first] = Array.isArray(body.data) ? body.data : [];
  const { embedding } = objectAt({ first }, "first");
  if (typeof embedding !== "string")
    throw new CommandError(`The result of the row ${customId.slice(0, 100)} has no vector in base64.`);
  const bytes = Buffer.from(embedding, "base64");
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) =>
    bytes.readFloatLE(index * 4),
  );
}

/** A refused request has its error in the body of the response. A request that has not run has it beside that. */
function failureOf(result: Record<string, unknown>): LineFailure {
  const own = objectAt(result, "error");
  const response = objectAt(result, "response");
  const refused = objectAt(objectAt(response, "body"), "error");
  const status = Number(response.status_code);
  return {
    code: String(refused.code ?? own.code ?? response.status_code ?? "unknown"),
    message: String(refused.message ?? own.message ?? "The line failed."),
    // Without a response the line has not run, because the batch ended before.
    isTransient: !isObject(result.response) || status === 429 || status >= 500,
  };
}
