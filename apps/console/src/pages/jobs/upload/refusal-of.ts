import type { ShownModel } from "../../../operations/listModels.js";
import { matchesPattern } from "../../keys/match-models.js";
import type { BatchEndpoint } from "./check-line.js";

const operations: Readonly<Record<BatchEndpoint, string>> = {
  "/v1/embeddings": "createEmbedding",
  "/v1/images/generations": "createImage",
  "/v1/images/edits": "createImageEdit",
};

/** The warning for the lines of a model without a healthy target. */
export const retriedLines = "Lines are retried for some minutes, then fail.";

interface RefusalOptions {
  /** Those that the session may call. Undefined while they are not loaded. */
  readonly models:
    | readonly Pick<ShownModel, "id" | "aliases" | "isPattern" | "operations" | "status">[]
    | undefined;
  readonly endpoint: BatchEndpoint | undefined;
}

/** Why the lines of a model will fail, as far as the list of models shows it. */
export function refusalOf(name: string, { models, endpoint }: RefusalOptions): string | undefined {
  if (models === undefined) return undefined;
  const named = models.filter(({ id, aliases, isPattern }) =>
    isPattern ? matchesPattern(id, name) : id === name || aliases.includes(name),
  );
  if (named.length === 0) return `${name} is not among the models that you may call.`;
  if (endpoint !== undefined && !named.some((one) => one.operations.includes(operations[endpoint])))
    return `${name} does not serve ${endpoint}.`;
  if (named.every(({ status }) => status === "failing"))
    return `${name} has no healthy target now. ${retriedLines}`;
  return undefined;
}
