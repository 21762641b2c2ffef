import { expect } from "vitest";
import { adminGateway, otherCallersCases, storageFaultCase } from "./admin-gateway.js";
import { bodyOf, contract, saysError } from "./contract.js";

const context = adminGateway();
const path = "/admin/v1/keys";
const post = (json: unknown) => () => context.send(path, { method: "POST", json });
const otherCallers = otherCallersCases(context, path, { method: "POST", json: { name: "a" } });
const noLimits = {
  requests_per_minute: null,
  requests_per_day: null,
  tokens_per_minute: null,
  tokens_per_day: null,
  images_per_minute: null,
  images_per_day: null,
  max_concurrency: null,
};
const inAnHour = Math.floor(Date.now() / 1000) + 3600;

contract("createKey", {
  200: [
    {
      name: "a key that is not restricted",
      send: post({ name: "search" }),
      expect: (body) =>
        expect(body).toEqual({
          object: "key",
          id: expect.stringMatching(/^key_[0-9a-f]{24}$/),
          name: "search",
          owner: null,
          value: expect.stringMatching(/^mg_[0-9a-z]{38}$/),
          redacted_value: `mg_...${body.value.slice(-4)}`,
          old_secrets: [],
          source: "database",
          status: "active",
          models: null,
          priority: "interactive",
          limits: noLimits,
          budget: null,
          budget_usage: null,
          spent_usd: 0,
          unpriced_requests: 0,
          disabled: false,
          expires_at: null,
          created_at: expect.closeTo(Date.now() / 1000, -2),
          last_used_at: null,
          revoked_at: null,
        }),
    },
    {
      name: "a key with every restriction there is",
      send: post({
        name: "a ☕ \"name\", with 'quotes'",
        owner: "ann@example.com",
        models: ["near", "gpt-*"],
        priority: "bulk",
        limits: { ...noLimits, requests_per_minute: 5, images_per_day: 7 },
        budget: { usd: 2.5, per: "month" },
        disabled: true,
        expires_at: inAnHour,
      }),
      expect: (body) =>
        expect(body).toMatchObject({
          name: "a ☕ \"name\", with 'quotes'",
          owner: "ann@example.com",
          status: "disabled",
          models: ["near", "gpt-*"],
          priority: "bulk",
          limits: { ...noLimits, requests_per_minute: 5, images_per_day: 7 },
          budget: { usd: 2.5, per: "month" },
          budget_usage: { spent_usd: 0, remaining_usd: 2.5, resets_at: expect.any(Number) },
          disabled: true,
          expires_at: inAnHour,
        }),
    },
    {
      name: "null is the same as nothing",
      send: post({ name: "a", owner: null, models: null, limits: null, budget: null, expires_at: null }),
      expect: (body) =>
        expect(body).toMatchObject({ owner: null, models: null, limits: noLimits, budget: null }),
    },
    {
      name: "the key works",
      send: async () => {
        const { value } = await context.createKey({ models: ["n*"] });
        const models = await context.send("/v1/models", { key: value });
        expect((await bodyOf(models)).data).toMatchObject([{ id: "near" }, { id: "nearer" }]);
        return post({ name: "another" })();
      },
    },
  ],
  400: [
    { name: "no name", send: post({}), expect: saysError("missing_required_parameter", "name") },
    { name: "an empty name", send: post({ name: "" }), expect: saysError("empty_string", "name") },
    {
      name: "a name that is too long",
      send: post({ name: "a".repeat(257) }),
      expect: saysError("string_above_max_length", "name"),
    },
    ...["a\u0000b", "a\nb", "\ud800"].map((name) => ({
      name: `a name with ${JSON.stringify(name)} in it`,
      send: post({ name }),
      expect: saysError("invalid_value", "name"),
    })),
    {
      name: "a misspelt field",
      send: post({ name: "a", model: ["b"] }),
      expect: saysError("unknown_parameter", "model"),
    },
    {
      name: "a misspelt limit",
      send: post({ name: "a", limits: { requests: 1 } }),
      expect: saysError("unknown_parameter", "limits.requests"),
    },
    {
      name: "a limit of nothing",
      send: post({ name: "a", limits: { requests_per_day: 0 } }),
      expect: saysError("integer_below_min_value", "limits.requests_per_day"),
    },
    {
      name: "no models at all",
      send: post({ name: "a", models: [] }),
      expect: saysError("empty_array", "models"),
    },
    {
      name: "a model that is not text",
      send: post({ name: "a", models: ["b", 1] }),
      expect: saysError("invalid_type", "models[1]"),
    },
    {
      name: "half a budget",
      send: post({ name: "a", budget: { usd: 1 } }),
      expect: saysError("missing_required_parameter", "budget.per"),
    },
    {
      name: "a budget of another time",
      send: post({ name: "a", budget: { usd: 1, per: "year" } }),
      expect: saysError("invalid_value", "budget.per"),
    },
    {
      name: "a time that is over",
      send: post({ name: "a", expires_at: 1_000_000_000 }),
      expect: saysError("invalid_value", "expires_at"),
    },
    { name: "a list", send: post([]), expect: saysError("invalid_type") },
    {
      name: "broken JSON",
      send: () =>
        context.send(path, { method: "POST", body: "{", headers: { "content-type": "application/json" } }),
      expect: saysError("invalid_json"),
    },
    {
      name: "a parameter that is not there",
      send: () => context.send(`${path}?dry_run=1`, { method: "POST", json: { name: "a" } }),
      expect: saysError("unknown_parameter", "dry_run"),
    },
  ],
  401: otherCallers[401],
  403: otherCallers[403],
  413: [
    {
      name: "a body that no operator would write",
      send: post({ name: "a".repeat(70_000) }),
      expect: saysError("content_too_large"),
    },
  ],
  415: [
    {
      name: "a form",
      send: () =>
        context.send(path, {
          method: "POST",
          body: "name=a",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        }),
      expect: saysError("unsupported_content_type"),
    },
  ],
  500: [storageFaultCase(context, "faulty", post({ name: "a" })), ...otherCallers[500]],
  503: [storageFaultCase(context, "unavailable", post({ name: "a" })), ...otherCallers[503]],
});
