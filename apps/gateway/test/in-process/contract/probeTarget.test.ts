import { expect } from "vitest";
import { adminGateway, otherCallersCases } from "./admin-gateway.js";
import { bodyOf, contract, saysError } from "./contract.js";

const context = adminGateway();
const path = "/admin/v1/probes";
const post = (json: unknown) => () => context.send(path, { method: "POST", json });
const near = { model: "near", upstream: "local" };

contract("probeTarget", {
  200: [
    {
      name: "a target that works",
      send: post(near),
      expect: (body) =>
        expect(body).toEqual({
          object: "probe",
          model: "near",
          upstream: "local",
          target_model: "gte-small",
          operation: "createEmbedding",
          ok: true,
          ms: expect.any(Number),
          error: null,
          cost_usd: 0,
          state: "healthy",
        }),
    },
    {
      name: "an image, where its cost is confirmed",
      send: post({ model: "far", upstream: "local", target_model: "local-sketch", confirm_cost: true }),
      expect: (body) => expect(body).toMatchObject({ operation: "createImage", ok: true, cost_usd: 0 }),
    },
    {
      name: "a target that cannot be reached",
      send: post({ model: "far", upstream: "distant", confirm_cost: true }),
      expect: (body) =>
        expect(body).toMatchObject({
          ok: false,
          error: { code: "upstream_unavailable", message: expect.any(String) },
          state: "failing",
        }),
    },
    {
      name: "the call is in the ledger, under a separate key",
      send: async () => {
        const response = await post(near)();
        const list = async () =>
          (await bodyOf(await context.send("/admin/v1/requests?key=gateway:probe"))).data;
        const id = response.headers.get("x-request-id");
        await expect
          .poll(list)
          .toContainEqual(
            expect.objectContaining({ id, key_name: "probe", operation: "createEmbedding", status: 200 }),
          );
        return response;
      },
    },
  ],
  400: [
    {
      name: "no upstream",
      send: post({ model: "near" }),
      expect: saysError("missing_required_parameter", "upstream"),
    },
    {
      name: "an upstream that does not serve the model",
      send: post({ model: "near", upstream: "distant" }),
      expect: saysError("invalid_value", "upstream"),
    },
    {
      name: "a name that the model does not have there",
      send: post({ ...near, target_model: "other" }),
      expect: saysError("invalid_value", "target_model"),
    },
    {
      name: "an image whose cost is not confirmed",
      send: post({ model: "far", upstream: "local" }),
      expect: saysError("invalid_value", "confirm_cost"),
    },
    {
      name: "a misspelt field",
      send: post({ ...near, force: true }),
      expect: saysError("unknown_parameter", "force"),
    },
  ],
  404: [
    {
      name: "a model that is not there",
      send: post({ model: "nowhere", upstream: "local" }),
      expect: saysError("model_not_found", "model"),
    },
  ],
  413: [
    {
      name: "a body that no operator would write",
      send: post({ model: "a".repeat(70_000), upstream: "local" }),
      expect: saysError("content_too_large"),
    },
  ],
  415: [
    {
      name: "a form",
      send: () =>
        context.send(path, {
          method: "POST",
          body: "model=near",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        }),
      expect: saysError("unsupported_content_type"),
    },
  ],
  ...otherCallersCases(context, path, { method: "POST", json: near }),
});
