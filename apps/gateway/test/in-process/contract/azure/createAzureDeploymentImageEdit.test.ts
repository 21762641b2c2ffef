import { expect } from "vitest";
import { tinyPng } from "../../../fake-upstream/sample-images.mjs";
import { type AskModel, aliasCases } from "../alias-cases.js";
import { contract, saysError } from "../contract.js";
import { contractGateway } from "../gateway.js";
import { imageCases } from "../image-cases.js";

const context = contractGateway("image");
const pathOf = (model: string) => `/openai/deployments/${model}/images/edits?api-version=2025-04-01-preview`;
const images = [{ image_url: `data:image/png;base64,${tinyPng.toString("base64")}` }];
const ask: AskModel = (model, fields, init) => () =>
  context.gateway.sendJson(pathOf(model), { prompt: "a fox", images, ...fields }, init);
const form =
  (model: string, fields: Record<string, string> = {}) =>
  () => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ prompt: "a fox", ...fields })) body.append(name, value);
    body.append("image", new Blob([new Uint8Array(tinyPng)]), "a.png");
    return context.gateway.send(pathOf(model), { method: "POST", body });
  };
const files = () => context.upstream.received.at(-1)?.parts.filter(({ filename }) => filename !== undefined);

const alias = aliasCases({ context, ask, says: saysError });
const shared = imageCases(context, ask);

contract("createAzureDeploymentImageEdit", {
  ...alias,
  200: [
    ...alias[200],
    ...shared[200],
    {
      name: "the image of a form reaches the upstream byte for byte",
      send: form("good"),
      expect: (body) => {
        expect(body.data).toEqual([{ b64_json: tinyPng.toString("base64") }]);
        expect(files()).toEqual([
          { name: "image", filename: "image.png", type: "image/png", content: tinyPng },
        ]);
      },
    },
    {
      name: "another model in the form has no effect",
      send: form("good", { model: "gpt-image-2" }),
      expect: () => expect(context.upstream.received.at(-1)?.body).toMatchObject({ model: "good" }),
    },
    { name: "a slash that was not encoded", send: form("org/image") },
    {
      name: "a stream",
      send: ask("good", { stream: true, partial_images: 1 }),
      expect: (events) =>
        expect(events.map(({ event }: { event: string }) => event)).toEqual([
          "image_edit.partial_image",
          "image_edit.completed",
        ]),
    },
    { name: "the JSON form", send: ask("good"), expect: () => expect(files()).toHaveLength(1) },
  ],
  202: shared[202],
  400: [
    ...alias[400],
    {
      name: "an invalid number in a form",
      send: form("good", { n: "two" }),
      expect: saysError("invalid_type", "n"),
    },
    {
      name: "a field that does not exist",
      send: form("good", { colour: "red" }),
      expect: saysError("unknown_parameter", "colour"),
    },
    {
      name: "no prompt",
      send: ask("good", { prompt: undefined }),
      expect: saysError("missing_required_parameter", "prompt"),
    },
  ],
  409: [
    {
      name: "an Idempotency-Key that another path has used for another body",
      send: async () => {
        const init = { headers: { "idempotency-key": "taken" } };
        await context.gateway.sendJson("/v1/images/edits", { model: "good", prompt: "one", images }, init);
        return ask("good", { prompt: "two" }, init)();
      },
      expect: saysError("idempotency_conflict"),
    },
  ],
  503: [...alias[503], ...shared[503]],
});
