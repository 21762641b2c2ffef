import { GatewayError } from "@model-gateway/domain/errors";
import type { DiscoveryRule } from "@model-gateway/domain/model";
import { modelTypes } from "@model-gateway/domain/operations";
import { z } from "zod";
import { readJson } from "../../http/json-request.js";
import type { Send } from "../../http/send.js";
import type { ListModels } from "../../provider.js";

const listBytesMax = 4 * 1024 * 1024;

const pattern = z.string().min(1).max(256);
const rule = z
  .strictObject({
    include: z
      .union([pattern, z.array(pattern).min(1).max(50)])
      .describe("The names that it holds for: one, or a list, in which * matches any characters."),
    type: z
      .enum(modelTypes)
      .optional()
      .describe("The type of the models. Default: the gateway embeds one word to find out."),
    dimensions: z
      .int()
      .positive()
      .max(65_536)
      .optional()
      .describe("The width of their vectors. Only with type: embedding."),
  })
  .refine(({ type, dimensions }) => dimensions === undefined || type === "embedding", {
    error: "dimensions needs type: embedding",
    path: ["dimensions"],
  });

/** An upstream's keys that let the gateway find its models. */
export const discoverySettings = {
  discover: z
    .union([
      z.boolean(),
      pattern,
      rule,
      z
        .array(z.union([pattern, rule]))
        .min(1)
        .max(50),
    ])
    .default(false)
    .describe(
      "Offers models of the upstream's own list: true for all, or the names to include, as patterns or as rules. The first rule that fits a name holds for it.",
    ),
  discoverEveryMs: z
    .int()
    .min(1000)
    .max(86_400_000)
    .default(600_000)
    .describe("How often the list is read again, in milliseconds."),
};

export function discoveryRules(discover: z.output<typeof discoverySettings.discover>): DiscoveryRule[] {
  if (typeof discover === "boolean") return discover ? [{ include: ["*"] }] : [];
  return [discover].flat().map((one) => {
    if (typeof one === "string") return { include: [one] };
    const { include, type, dimensions } = one;
    return {
      include: [include].flat(),
      ...(type === undefined ? {} : { type }),
      ...(dimensions === undefined ? {} : { dimensions }),
    };
  });
}

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** https://platform.openai.com/docs/api-reference/models/list */
export function createListModels(send: Send): ListModels {
  return async (call) => {
    const reply = await send({ method: "GET", path: "/models", headers: {} }, call);
    const list = modelList.safeParse(await readJson(reply, listBytesMax));
    if (list.success) return list.data.data.map(({ id: name }) => ({ name }));
    throw new GatewayError(
      "upstream_invalid_reply",
      "The upstream's list of models is not valid: it has no `data` with ids.",
    );
  };
}
