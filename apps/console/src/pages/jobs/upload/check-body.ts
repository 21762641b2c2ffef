import { type BatchEndpoint, type CheckedLine, fault, type LineBody, type LineFault } from "./check-line.js";

/** The fields that a body must have. The gateway checks a body when it runs. */
const required: Readonly<Record<BatchEndpoint, readonly string[]>> = {
  "/v1/embeddings": ["input"],
  "/v1/images/generations": ["prompt"],
  "/v1/images/edits": ["prompt", "images"],
};

/** The reasons why a line will fail when it runs, as far as its required fields show them: in the words of the gateway. */
export function checkBody({ endpoint, body }: Pick<CheckedLine, "endpoint" | "body">): LineFault[] {
  return required[endpoint].flatMap((param): LineFault[] => {
    // A conversation is one input.
    if (param === "input" && body.messages !== undefined) return [];
    const value = body[param];
    if (value === undefined)
      return [fault("missing_required_parameter", param, `Missing required parameter: '${param}'.`)];
    if (value === "" || (Array.isArray(value) && value.includes("")))
      return [fault("empty_string", param, `Invalid '${param}': it cannot be an empty string.`)];
    if (Array.isArray(value) && value.length === 0)
      return [fault("empty_array", param, `Invalid '${param}': array cannot be empty.`)];
    return [];
  });
}

/** The texts that a body embeds, or the images that it creates. */
export function countItems(endpoint: BatchEndpoint, { input, n }: LineBody): number {
  if (endpoint !== "/v1/embeddings") return typeof n === "number" && n > 0 ? Math.floor(n) : 1;
  if (input === undefined) return 0;
  // A flat array of token ids is one text.
  return Array.isArray(input) && typeof input[0] !== "number" ? input.length : 1;
}

/** English has about four letters for a token. */
const lettersPerToken = 4;

/** About how many tokens the texts of a body have. Token ids are counted exactly. Images have none here. */
export function estimateTokens(endpoint: BatchEndpoint, { input }: LineBody): number {
  if (endpoint !== "/v1/embeddings") return 0;
  const tokensOf = (value: unknown): number => {
    if (typeof value === "string") return value.length / lettersPerToken;
    if (typeof value === "number") return 1;
    return Array.isArray(value) ? value.reduce<number>((sum, one) => sum + tokensOf(one), 0) : 0;
  };
  return tokensOf(input);
}
