import type { Schemas } from "@model-gateway/domain/operations";
import { expect } from "vitest";
import { adminGateway, otherCallersCases, storageFaultCase } from "./admin-gateway.js";
import { bodyOf, contract, saysError } from "./contract.js";

const context = adminGateway();
const unknown = "key_000000000000000000000000";
const patch = (id: string, json: unknown) => context.send(`/admin/v1/keys/${id}`, { method: "PATCH", json });
const otherCallers = otherCallersCases(context, `/admin/v1/keys/${unknown}`, {
  method: "PATCH",
  json: { name: "a" },
});
const restricted: Schemas["CreateKeyRequest"] = {
  name: "before",
  owner: "ann",
  models: ["near"],
  limits: { requests_per_minute: 1, tokens_per_day: 2 },
  budget: { usd: 3, per: "day" },
  expires_at: Math.floor(Date.now() / 1000) + 3600,
};

/** Creates a key, changes it, and compares the response with the expected key. */
function changed(change: object, want: object) {
  return async () => {
    const { value: _value, ...made } = await context.createKey(restricted);
    const response = await patch(made.id, change);
    expect(await bodyOf(response)).toEqual({ ...made, ...want });
    expect(await bodyOf(await context.send(`/admin/v1/keys/${made.id}`))).toEqual({ ...made, ...want });
    return response;
  };
}
const refused = (json: unknown) => async () => patch((await context.createKey(restricted)).id, json);

const noLimits = {
  requests_per_minute: null,
  requests_per_day: null,
  tokens_per_minute: null,
  tokens_per_day: null,
  images_per_minute: null,
  images_per_day: null,
  max_concurrency: null,
};

contract("changeKey", {
  200: [
    { name: "unnamed fields stay", send: changed({ name: "after" }, { name: "after" }) },
    {
      name: "a key becomes a bulk one, and interactive again",
      send: async () => {
        const { id } = await context.createKey();
        expect(await bodyOf(await patch(id, { priority: "bulk" }))).toMatchObject({ priority: "bulk" });
        return patch(id, { priority: "interactive" });
      },
      expect: (body) => expect(body).toMatchObject({ priority: "interactive" }),
    },
    {
      name: "null takes restrictions away",
      send: changed(
        { owner: null, models: null, limits: null, budget: null, expires_at: null },
        {
          owner: null,
          models: null,
          limits: noLimits,
          budget: null,
          budget_usage: null,
          expires_at: null,
        },
      ),
    },
    {
      name: "one limit changes, one goes, one comes, and one stays",
      send: changed(
        { limits: { requests_per_minute: null, max_concurrency: 9 } },
        { limits: { ...noLimits, tokens_per_day: 2, max_concurrency: 9 } },
      ),
    },
    { name: "no limit at all changes", send: changed({ limits: {} }, {}) },
    {
      name: "a key is switched off, and the gateway knows at once",
      send: async () => {
        const { id, value } = await context.createKey();
        expect((await context.send("/v1/models", { key: value })).status).toBe(200);
        const response = await patch(id, { disabled: true });
        const refusal = await context.send("/v1/models", { key: value });
        expect([refusal.status, (await bodyOf(refusal)).error.message]).toEqual([
          401,
          "This API key is disabled.",
        ]);
        expect((await patch(id, { disabled: false })).status).toBe(200);
        expect((await context.send("/v1/models", { key: value })).status).toBe(200);
        return response;
      },
      expect: (body) => expect(body).toMatchObject({ disabled: true, status: "disabled" }),
    },
  ],
  400: [
    { name: "nothing to change", send: refused({}), expect: saysError("missing_required_parameter") },
    { name: "a name of null", send: refused({ name: null }), expect: saysError("invalid_type", "name") },
    {
      name: "what cannot be changed",
      send: refused({ id: "a" }),
      expect: saysError("unknown_parameter", "id"),
    },
    {
      name: "a time that is over",
      send: refused({ expires_at: 1 }),
      expect: saysError("invalid_value", "expires_at"),
    },
    {
      name: "a broken percent sign",
      send: () => patch("a%ZZ", { name: "a" }),
      expect: saysError("invalid_url"),
    },
  ],
  401: otherCallers[401],
  403: otherCallers[403],
  404: [
    {
      name: "an unknown key",
      send: () => patch(unknown, { name: "a" }),
      expect: saysError("key_not_found", "key"),
    },
  ],
  409: [
    {
      name: "a key of the configuration",
      send: () => patch("config:tester", { name: "a" }),
      expect: saysError("key_in_file", "key"),
    },
    {
      name: "a key that was revoked",
      send: async () => {
        const { id } = await context.createKey();
        await context.send(`/admin/v1/keys/${id}`, { method: "DELETE" });
        return patch(id, { name: "a" });
      },
      expect: saysError("key_revoked", "key"),
    },
  ],
  413: [
    {
      name: "a body that no operator would write",
      send: refused({ name: "a".repeat(70_000) }),
      expect: saysError("content_too_large"),
    },
  ],
  415: [
    {
      name: "no content type",
      send: () => context.send(`/admin/v1/keys/${unknown}`, { method: "PATCH" }),
      expect: saysError("unsupported_content_type"),
    },
  ],
  500: [storageFaultCase(context, "faulty", () => patch(unknown, { name: "a" })), ...otherCallers[500]],
  503: [storageFaultCase(context, "unavailable", () => patch(unknown, { name: "a" })), ...otherCallers[503]],
});
