import { GatewayError } from "@model-gateway/domain/errors";
import { z } from "zod";
import type { Call } from "../call.js";
import { readJson } from "../http/json-request.js";
import type { Send } from "../http/send.js";
import type { ListModels } from "../provider.js";
import { listedImageModel, profileOfListed } from "./profiles.js";

const listBytesMax = 8 * 1024 * 1024;

const listedEmbeddingModel = z.object({
  id: z.string(),
  context_length: z.number().int().positive().nullish().catch(undefined),
});

/** The models of two lists, with their types and options. An entry of another shape is left out. */
export function createListOpenRouterModels(send: Send): ListModels {
  const entriesAt = async (path: string, call: Call): Promise<readonly unknown[]> => {
    const reply = await send({ method: "GET", path, headers: {} }, call);
    const list = z.object({ data: z.array(z.unknown()) }).safeParse(await readJson(reply, listBytesMax));
    if (list.success) return list.data.data;
    throw new GatewayError(
      "upstream_invalid_reply",
      "The upstream's list of models is not valid: it has no `data`.",
    );
  };
  return async (call) => {
    const [images, embeddings] = await Promise.all([
      entriesAt("/images/models", call),
      entriesAt("/embeddings/models", call),
    ]);
    return [
      ...images.flatMap((entry) => {
        const { data } = listedImageModel.safeParse(entry);
        return data ? [{ name: data.id, type: "image" as const, profile: profileOfListed(data) }] : [];
      }),
      ...embeddings.flatMap((entry) => {
        const { data } = listedEmbeddingModel.safeParse(entry);
        if (data === undefined) return [];
        const { id: name, context_length: maxTokens } = data;
        return [{ name, type: "embedding" as const, ...(maxTokens && { maxTokens }) }];
      }),
    ];
  };
}
