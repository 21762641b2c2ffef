import { expect } from "vitest";
import { type ContractCase, contract, saysError } from "./contract.js";
import { contractGateway } from "./gateway.js";

const context = contractGateway("image");
const get = (model: string, init?: RequestInit) => () => context.gateway.send(`/v1/models/${model}`, init);

contract("retrieveModel", {
  200: [
    {
      name: "an image model, with its capabilities",
      send: get("image"),
      expect: (body) =>
        expect(body).toMatchObject({
          id: "image",
          owned_by: "fake",
          type: "image",
          operations: ["createImage", "createImageEdit"],
          status: "ready",
          image: { max_n: 10, mask: true, response_formats: ["b64_json", "url"] },
        }),
    },
    {
      name: "an embedding model",
      send: get("other-type"),
      expect: (body) =>
        expect([body.embedding.encoding_formats, body.embedding.output_dtypes]).toEqual([
          ["float", "base64"],
          ["float", "binary", "ubinary"],
        ]),
    },
    {
      name: "an id with a slash and a space",
      send: get("org%2Fmodel%20x"),
      expect: (body) => expect(body.id).toBe("org/model x"),
    },
    {
      name: "a slash that was not encoded",
      send: get("org/model%20x"),
      expect: (body) => expect(body.id).toBe("org/model x"),
    },
  ],
  400: [{ name: "a broken percent sign", send: get("a%ZZ"), expect: saysError("invalid_url") }],
  401: [
    {
      name: "a wrong key",
      send: get("image", { headers: { authorization: "Bearer wrong" } }),
      expect: saysError("invalid_api_key"),
    },
  ],
  403: ["image", "nope"].map((model) => ({
    name: `a key that may not call ${model}, be it there or not`,
    send: async () => get(model, await context.restricted())(),
    expect: saysError("model_not_allowed", "model"),
  })) as [ContractCase],
  404: [{ name: "an unknown model", send: get("nope"), expect: saysError("model_not_found", "model") }],
  500: [{ name: "a bug", send: () => context.broken(get("faulty")), expect: saysError("internal_error") }],
  503: [
    {
      name: "a key that only the database knows, while it is down",
      send: () => context.sendWithoutStorage("/v1/models/image"),
      expect: saysError("storage_unavailable"),
    },
  ],
});
