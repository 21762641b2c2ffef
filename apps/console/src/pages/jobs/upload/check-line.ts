import type { Schemas } from "../../../operations/schemas.js";

export type BatchEndpoint = Schemas["BatchEndpoint"];

/** A fault of a line, in the words of the gateway. */
export type LineFault = Pick<Schemas["BatchFault"], "code" | "param" | "message">;

/** A line whose form has no fault. */
export interface CheckedLine {
  readonly customId: string;
  /** Undefined: the gateway's default model. */
  readonly model: string | undefined;
  readonly endpoint: BatchEndpoint;
  readonly body: LineBody;
}

export type LineBody = Readonly<Record<string, unknown>>;

/** A record, so that the compiler demands every new endpoint. */
const isEndpoint: Readonly<Record<BatchEndpoint, true>> = {
  "/v1/embeddings": true,
  "/v1/images/generations": true,
  "/v1/images/edits": true,
};
export const endpoints = Object.keys(isEndpoint) as BatchEndpoint[];

const customIdLengthMax = 512;
const fields: ReadonlySet<string> = new Set(["custom_id", "method", "url", "body"]);

export type ParsedLine = { readonly line: Readonly<Record<string, unknown>> } | { readonly fault: LineFault };

export function parseLine(text: string): ParsedLine {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return { fault: fault("invalid_json_line", null, "This line is not parseable as valid JSON.") };
  }
  if (isObject(line)) return { line: { ...line } };
  return { fault: fault("invalid_json_line", null, "This line is not a JSON object.") };
}

/**
 * Checks the form of a line as the gateway does, before it is uploaded. The gateway remains the judge: it checks the file
 * again, and each body when it runs.
 *
 * @param endpoint Undefined while no line has named one that batches have.
 */
export function checkLine(
  line: Readonly<Record<string, unknown>>,
  endpoint: BatchEndpoint | undefined,
): CheckedLine | readonly LineFault[] {
  const { custom_id: customId, method, url, body } = line;
  const faults = [
    ...Object.keys(line)
      .filter((name) => !fields.has(name))
      .slice(0, 1)
      .map((name) => fault("invalid_value", quoted(name), `Unknown field '${quoted(name)}'.`)),
    ...missing({ custom_id: customId, method, url, body }),
    ...faultsOfId(customId),
    ...(method === undefined || method === "POST"
      ? []
      : [fault("invalid_value", "method", "Invalid 'method': it must be POST.")]),
    ...(url === undefined || (url === endpoint && endpoint !== undefined) ? [] : [wrongUrl(endpoint)]),
    ...faultsOfBody(body),
  ];
  if (faults.length > 0 || endpoint === undefined) return faults;
  // Checked above.
  const checked = body as LineBody & { readonly model?: string };
  return { customId: customId as string, model: checked.model, endpoint, body: checked };
}

function wrongUrl(endpoint: BatchEndpoint | undefined): LineFault {
  const message =
    endpoint === undefined
      ? `The url of this line is not one that batches have: ${endpoints.join(", ")}.`
      : `The url of this line is not the batch's endpoint, ${endpoint}.`;
  return fault("url_mismatch", "url", message);
}

function missing(given: Readonly<Record<string, unknown>>): LineFault[] {
  return Object.entries(given)
    .filter(([, value]) => value === undefined)
    .map(([name]) => fault("missing_required_parameter", name, `Missing required parameter: '${name}'.`));
}

function faultsOfId(customId: unknown): LineFault[] {
  if (customId === undefined) return [];
  if (typeof customId === "string" && customId.length > 0 && customId.length <= customIdLengthMax) return [];
  const message = `Invalid 'custom_id': it must be a text of 1 to ${customIdLengthMax} characters.`;
  return [fault("invalid_value", "custom_id", message)];
}

function faultsOfBody(body: unknown): LineFault[] {
  if (body === undefined) return [];
  if (!isObject(body)) return [fault("invalid_value", "body", "Invalid 'body': it must be an object.")];
  const { model, stream } = body;
  return [
    ...(model === undefined || typeof model === "string"
      ? []
      : [fault("invalid_value", "body.model", "Invalid 'body.model': it must be a text.")]),
    ...(stream === true
      ? [fault("invalid_value", "body.stream", "Invalid 'body.stream': a line cannot be streamed.")]
      : []),
  ];
}

export function isObject(value: unknown): value is LineBody {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fault(code: string, param: string | null, message: string): LineFault {
  return { code, param, message };
}

/** A name in a message: short, and without control characters. */
function quoted(name: string): string {
  return name.slice(0, 64).replaceAll(/[^\x20-\x7e]/g, "?");
}
