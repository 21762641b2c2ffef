import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { adminGateway } from "../admin-gateway.js";
import { bodyOf, contract } from "../contract.js";
import { withoutKeyCases } from "./own-cases.js";

const context = adminGateway();
const path = "/v1/key";

contract("retrieveOwnKey", {
  ...withoutKeyCases(context, path),
  200: [
    {
      name: "a key with limits and a budget, and what is left of them",
      send: async () => {
        const { id, value } = await context.createKey({
          name: "mine",
          owner: "ann",
          models: ["near"],
          limits: { requests_per_minute: 5, images_per_day: 3 },
          budget: { usd: 2, per: "month" },
        });
        await context.addRows({ keyId: id, at: Date.now(), costNanos: 500_000_000 }, { at: Date.now() });
        const json = { model: "near", input: "a" };
        expect((await context.send("/v1/embeddings", { method: "POST", json, key: value })).status).toBe(200);
        return context.send(path, { key: value });
      },
      expect: (body) =>
        expect(body).toMatchObject({
          name: "mine",
          owner: "ann",
          models: ["near"],
          limits: { requests_per_minute: 5, images_per_day: 3, tokens_per_day: null },
          limits_remaining: { requests_per_minute: 4, images_per_day: 3, tokens_per_day: null },
          budget: { usd: 2, per: "month" },
          budget_usage: { spent_usd: 0.5, remaining_usd: 1.5 },
          spent_usd: 0.5,
          unpriced_requests: 0,
        }),
    },
    {
      name: "a key of the configuration, in the header of Azure's clients",
      send: () => context.send(path, { headers: { authorization: "", "api-key": testKey } }),
      expect: (body) => expect(body).toMatchObject({ id: "config:tester", budget: null }),
    },
    {
      name: "a session shows the key that it was created with",
      send: async () => {
        const { id, value } = await context.createKey();
        const response = await context.send(path, { key: (await context.createSession(value)).value });
        expect((await bodyOf(response)).id).toBe(id);
        return response;
      },
    },
    {
      name: "an earlier secret says when it stops working",
      send: async () => {
        const { id, value } = await context.createKey();
        const rotation = { method: "POST", json: { overlap_seconds: 600 } };
        const rotated = await bodyOf(await context.send(`/admin/v1/keys/${id}/secrets`, rotation));
        const response = await context.send(path, { key: value });
        expect((await bodyOf(response)).expires_at).toBe(rotated.old_secrets[0].expires_at);
        return response;
      },
    },
    {
      name: "an operator in the console",
      send: async () => context.send(path, { key: (await context.createSession()).value }),
      expect: (body) => expect(body).toMatchObject({ id: "console:operator", models: null }),
    },
  ],
});
