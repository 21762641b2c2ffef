import { expect } from "vitest";
import { tinyPng } from "../../../fake-upstream/sample-images.mjs";
import { type AskModel, aliasCases } from "../alias-cases.js";
import { contract, saysError } from "../contract.js";
import { contractGateway } from "../gateway.js";
import { imageCases } from "../image-cases.js";

const context = contractGateway("image");
const ask: AskModel = (model, fields, init) => () =>
  context.gateway.sendJson("/openai/v1/images/generations", { model, prompt: "a fox", ...fields }, init);

const alias = aliasCases({ context, ask, says: saysError });
const shared = imageCases(context, ask);

contract("createAzureImage", {
  ...alias,
  200: [
    ...alias[200],
    ...shared[200],
    {
      name: "a prompt becomes an image",
      send: ask("good"),
      expect: (body) => {
        expect(body.data).toEqual([{ b64_json: tinyPng.toString("base64") }]);
        expect(context.upstream.received.at(-1)?.body).toEqual({ model: "good", prompt: "a fox" });
      },
    },
    {
      name: "a stream",
      send: ask("good", { stream: true, partial_images: 1 }),
      expect: (events) =>
        expect(events.map(({ event }: { event: string }) => event)).toEqual([
          "image_generation.partial_image",
          "image_generation.completed",
        ]),
    },
  ],
  202: shared[202],
  400: [
    ...alias[400],
    {
      name: "no prompt",
      send: ask("good", { prompt: undefined }),
      expect: saysError("missing_required_parameter", "prompt"),
    },
    {
      name: "no model",
      send: ask("good", { model: undefined }),
      expect: saysError("missing_required_parameter", "model"),
    },
    {
      name: "a parameter of other models",
      send: ask("good", { style: "natural" }),
      expect: saysError("unsupported_parameter", "style"),
    },
  ],
  409: [
    {
      name: "an Idempotency-Key that another path has used for another body",
      send: async () => {
        const init = { headers: { "idempotency-key": "taken" } };
        await context.gateway.sendJson("/v1/images/generations", { model: "good", prompt: "one" }, init);
        return ask("good", { prompt: "two" }, init)();
      },
      expect: saysError("idempotency_conflict"),
    },
  ],
  503: [...alias[503], ...shared[503]],
});
