import { GatewayError } from "@model-gateway/domain/errors";
import { describeFailure, recordableName } from "@model-gateway/domain/request-failure";
import { isObject } from "@model-gateway/runtime/json";
import type { JsonShape } from "../execution/validation/json-schema.js";
import type { BatchEndpoint, BatchFault } from "./batch.js";
import { countInputs } from "./estimate-results.js";
import { parseJsonLine } from "./parse-json-line.js";

/** A request of a batch, as its line describes it. */
export interface BatchLine {
  readonly customId: string;
  readonly model: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** The number of texts that it embeds; 0 for images. */
  readonly inputs: number;
}

/** Why a line cannot run. Its number is known where it was read. */
export type LineFault = Omit<BatchFault, "line">;

/** The endpoint of a batch, and the largest body that it can accept. */
export interface LineForm {
  readonly endpoint: BatchEndpoint;
  readonly shape: JsonShape;
}

/** The largest body that an endpoint can accept. */
export type ShapeOf = (endpoint: BatchEndpoint) => JsonShape;

const customIdLengthMax = 512;
const fields: ReadonlySet<string> = new Set(["custom_id", "method", "url", "body"]);

/** Reads a line, or says everything that is wrong with its form. The body is validated when it runs. */
export async function parseLine(
  text: Buffer,
  { endpoint, shape }: LineForm,
): Promise<BatchLine | readonly LineFault[]> {
  let line: unknown;
  try {
    line = await parseJsonLine(text, shape);
  } catch (failure) {
    return [faultOfJson(failure)];
  }
  if (!isObject(line)) return [fault("invalid_json_line", null, "This line is not a JSON object.")];
  const { custom_id: customId, method, url, body } = line as Readonly<Record<string, unknown>>;
  const faults = [
    ...Object.keys(line)
      .filter((name) => !fields.has(name))
      .slice(0, 1)
      .map((name) => ({
        ...fault("invalid_value", quoted(name), `Unknown field '${quoted(name)}'.`),
        operatorMessage: `Unknown field '${recordableName(name)}'.`,
      })),
    ...missing({ custom_id: customId, method, url, body }),
    ...faultsOfId(customId),
    ...(method === undefined || method === "POST"
      ? []
      : [fault("invalid_value", "method", "Invalid 'method': it must be POST.")]),
    ...(url === undefined || url === endpoint
      ? []
      : [fault("url_mismatch", "url", `The url of this line is not the batch's endpoint, ${endpoint}.`)]),
    ...faultsOfBody(body),
  ];
  if (faults.length > 0) return faults;
  // Checked above.
  const checked = body as Readonly<Record<string, unknown>>;
  return {
    customId: customId as string,
    model: checked.model as string | undefined,
    body: checked,
    inputs: endpoint === "/v1/embeddings" ? countInputs(checked.input) : 0,
  };
}

/** A line that has passed `parseLine`. */
export async function reparseLine(text: Buffer, form: LineForm): Promise<BatchLine> {
  const line = await parseLine(text, form);
  if ("customId" in line) return line;
  throw new Error("A line of a checked file is not valid any more.");
}

/** A body that is too deep, or has too many values, is JSON all the same. */
function faultOfJson(failure: unknown): LineFault {
  if (!(failure instanceof GatewayError) || failure.code === "invalid_json")
    return fault("invalid_json_line", null, "This line is not parseable as valid JSON.");
  const { code, param, message } = failure;
  const facts = { message: failure.recordedMessage, param };
  const { message: operatorMessage } = describeFailure(facts, (text) => text);
  return { ...fault(code, typeof param === "string" ? `body.${param}` : "body", message), operatorMessage };
}

function missing(given: Readonly<Record<string, unknown>>): LineFault[] {
  return Object.entries(given)
    .filter(([, value]) => value === undefined)
    .map(([name]) => fault("missing_required_parameter", name, `Missing required parameter: '${name}'.`));
}

function faultsOfId(customId: unknown): LineFault[] {
  if (customId === undefined) return [];
  if (typeof customId === "string" && customId.length > 0 && customId.length <= customIdLengthMax) return [];
  return [
    fault(
      "invalid_value",
      "custom_id",
      `Invalid 'custom_id': it must be a text of 1 to ${customIdLengthMax} characters.`,
    ),
  ];
}

function faultsOfBody(body: unknown): LineFault[] {
  if (body === undefined) return [];
  if (!isObject(body)) return [fault("invalid_value", "body", "Invalid 'body': it must be an object.")];
  const { model, stream } = body as { readonly model?: unknown; readonly stream?: unknown };
  return [
    ...(model === undefined || typeof model === "string"
      ? []
      : [fault("invalid_value", "body.model", "Invalid 'body.model': it must be a text.")]),
    ...(stream === true
      ? [fault("invalid_value", "body.stream", "Invalid 'body.stream': a line cannot be streamed.")]
      : []),
  ];
}

function fault(code: string, param: string | null, message: string): LineFault {
  return { code, param, message };
}

/** A caller's name in a message: short, and without control characters. */
function quoted(name: string): string {
  return name.slice(0, 64).replaceAll(/[^\x20-\x7e]/g, "?");
}
