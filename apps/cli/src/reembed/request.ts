import { decodeEmbedding } from "@model-gateway/client";
import { CommandError } from "../remote/command-error.js";
import { embeddingMs, type RemoteCaller } from "../remote/remote-gateway.js";
import type { RowId, Space } from "./rows.js";

/** The model, and the parameters of every request. */
export interface ReembedRequest {
  readonly model: string;
  readonly dimensions: number | undefined;
  readonly inputType: string | undefined;
}

/** It is embedded before the first file and after each one, and comes from the cache where there is one. */
const probeText = "A text that the gateway embeds to learn the vector space.";

/**
 * The space of the model's vectors, from one small request.
 *
 * @param expected The space of the vectors so far. The gateway refuses the request if the model has another one now.
 */
export async function probeSpace(
  caller: RemoteCaller,
  request: ReembedRequest,
  expected?: Space,
): Promise<Space> {
  const headers = {
    "x-gateway-priority": "bulk",
    ...(expected !== undefined && { "x-gateway-space": expected.id }),
  };
  const { data, response } = await caller.call(
    (client, options) => client.createEmbedding(bodyOf(request, probeText), { ...options, headers }),
    embeddingMs,
  );
  const id = response.headers.get("x-gateway-space");
  const embedding = data.data[0]?.embedding;
  if (id === null || embedding === undefined)
    throw new CommandError(`The gateway does not name the vector space of ${request.model}.`);
  return { id, dimensions: decodeEmbedding(embedding).length };
}

function bodyOf({ model, dimensions, inputType }: ReembedRequest, input: string) {
  return {
    model,
    input,
    // A third of the size of decimal numbers.
    encoding_format: "base64" as const,
    ...(dimensions !== undefined && { dimensions }),
    ...(inputType !== undefined && { input_type: inputType }),
  };
}

/** A line of a batch's input file. The id is kept as JSON, so that 7 and "7" stay different. */
export function batchLine(request: ReembedRequest, id: RowId, text: string): string {
  const line = {
    custom_id: JSON.stringify(id),
    method: "POST",
    url: batchEndpoint,
    body: bodyOf(request, text),
  };
  return JSON.stringify(line);
}

export const batchEndpoint = "/v1/embeddings";

export function idOf(customId: string): RowId {
  const id: unknown = JSON.parse(customId);
  if (typeof id === "string" || typeof id === "number") return id;
  throw new CommandError(`A result has the id ${customId.slice(0, 100)}, which is not one of this command.`);
}
