import { expect } from "vitest";
import { testKey } from "../../gateway/test-gateway.js";
import { adminGateway, otherCallersCases, storageFaultCase } from "./admin-gateway.js";
import { bodyOf, contract, saysError } from "./contract.js";

const context = adminGateway();
const unknown = "key_000000000000000000000000";
const rotate = (id: string, json: unknown = {}) =>
  context.send(`/admin/v1/keys/${id}/secrets`, { method: "POST", json });
const otherCallers = otherCallersCases(context, `/admin/v1/keys/${unknown}/secrets`, {
  method: "POST",
  json: {},
});
const refused = (json: unknown) => async () => rotate((await context.createKey()).id, json);
const statusOf = async (key: string) => (await context.send("/v1/models", { key })).status;
const messageOf = async (key: string) =>
  (await bodyOf(await context.send("/v1/models", { key }))).error.message;

contract("rotateKey", {
  200: [
    {
      name: "both secrets work for a day, under the same key",
      send: async () => {
        const { value: first, ...created } = await context.createKey({ budget: { usd: 3, per: "day" } });
        const before = Math.floor(Date.now() / 1000);
        const response = await rotate(created.id);
        const { value, ...rotated } = await bodyOf(response);
        expect(rotated).toEqual({
          ...created,
          redacted_value: `mg_...${value.slice(-4)}`,
          old_secrets: [{ redacted_value: created.redacted_value, expires_at: expect.any(Number) }],
        });
        expect(rotated.old_secrets[0].expires_at).toBeGreaterThanOrEqual(before + 86_400);
        expect(await bodyOf(await context.send(`/admin/v1/keys/${created.id}`))).toMatchObject(rotated);
        expect([await statusOf(first), await statusOf(value)]).toEqual([200, 200]);
        return response;
      },
    },
    {
      name: "without an overlap, the earlier secrets and their sessions stop at once",
      send: async () => {
        const { id, value: first } = await context.createKey();
        const session = await context.createSession(first);
        const second = (await bodyOf(await rotate(id, { overlap_seconds: 600 }))).value;
        expect([await statusOf(first), await statusOf(second), await statusOf(session.value)]).toEqual([
          200, 200, 200,
        ]);
        const response = await rotate(id, { overlap_seconds: 0 });
        expect(await messageOf(first)).toBe("This API key was replaced. Use its new secret.");
        expect(await messageOf(second)).toBe("This API key was replaced. Use its new secret.");
        expect(await statusOf((await bodyOf(response)).value)).toBe(200);
        await expect.poll(() => statusOf(session.value)).toBe(401);
        return response;
      },
      expect: (body) => expect(body.old_secrets).toEqual([]),
    },
    {
      name: "a session that an earlier secret creates ends with it",
      send: async () => {
        const { id, value } = await context.createKey();
        const response = await rotate(id, { overlap_seconds: 60 });
        const [old] = (await bodyOf(response)).old_secrets;
        expect((await context.createSession(value)).expires_at).toBe(old.expires_at);
        return response;
      },
    },
    {
      name: "a shorter overlap also ends the secrets before",
      send: async () => {
        const { id } = await context.createKey();
        await rotate(id, { overlap_seconds: 7200 });
        return rotate(id, { overlap_seconds: 60 });
      },
      expect: ({ old_secrets: [newest, oldest] }) => expect(oldest.expires_at).toBe(newest.expires_at),
    },
    {
      name: "a key that is switched off stays so",
      send: async () => rotate((await context.createKey({ disabled: true })).id),
      expect: (body) => expect(body.status).toBe("disabled"),
    },
  ],
  400: [
    {
      name: "an overlap below zero",
      send: refused({ overlap_seconds: -1 }),
      expect: saysError("integer_below_min_value", "overlap_seconds"),
    },
    {
      name: "an overlap of years",
      send: refused({ overlap_seconds: 1e15 }),
      expect: saysError("integer_above_max_value", "overlap_seconds"),
    },
    ...["86400", 0.5, null, [60]].map((overlap_seconds) => ({
      name: `an overlap of ${JSON.stringify(overlap_seconds)}`,
      send: refused({ overlap_seconds }),
      expect: saysError("invalid_type", "overlap_seconds"),
    })),
    {
      name: "a secret of one's own",
      send: refused({ value: "mg_mine" }),
      expect: saysError("unknown_parameter", "value"),
    },
    { name: "a broken percent sign", send: () => rotate("a%ZZ"), expect: saysError("invalid_url") },
  ],
  401: otherCallers[401],
  403: otherCallers[403],
  404: [{ name: "an unknown key", send: () => rotate(unknown), expect: saysError("key_not_found", "key") }],
  409: [
    {
      name: "a key of the configuration, which says where it is changed",
      send: async () => {
        const response = await rotate("config:tester");
        expect((await bodyOf(response)).error.message).toContain("Change it there.");
        expect(await statusOf(testKey)).toBe(200);
        return response;
      },
      expect: saysError("key_in_file", "key"),
    },
    {
      name: "a key that was revoked",
      send: async () => {
        const { id, value } = await context.createKey();
        const second = (await bodyOf(await rotate(id))).value;
        await context.send(`/admin/v1/keys/${id}`, { method: "DELETE" });
        expect([await messageOf(value), await messageOf(second)]).toEqual([
          "This API key was revoked.",
          "This API key was revoked.",
        ]);
        return rotate(id);
      },
      expect: saysError("key_revoked", "key"),
    },
    {
      name: "a fifth earlier secret, unless all of them stop",
      send: async () => {
        const { id, value } = await context.createKey();
        for (let count = 0; count < 4; count += 1) expect((await rotate(id)).status).toBe(200);
        const response = await rotate(id);
        expect(await statusOf(value)).toBe(200);
        expect((await rotate(id, { overlap_seconds: 0 })).status).toBe(200);
        return response;
      },
      expect: saysError("too_many_secrets", "key"),
    },
  ],
  413: [
    {
      name: "a body that no operator would write",
      send: refused({ note: "a".repeat(70_000) }),
      expect: saysError("content_too_large"),
    },
  ],
  415: [
    {
      name: "no content type",
      send: () => context.send(`/admin/v1/keys/${unknown}/secrets`, { method: "POST" }),
      expect: saysError("unsupported_content_type"),
    },
  ],
  500: [storageFaultCase(context, "faulty", () => rotate(unknown)), ...otherCallers[500]],
  503: [storageFaultCase(context, "unavailable", () => rotate(unknown)), ...otherCallers[503]],
});
