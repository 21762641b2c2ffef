import { expect } from "vitest";
import { testKey } from "../../gateway/test-gateway.js";
import { adminGateway, otherCallersCases, storageFaultCase } from "./admin-gateway.js";
import { bodyOf, contract, saysError } from "./contract.js";

const context = adminGateway();
const unknown = "key_000000000000000000000000";
const revoke = (id: string) => context.send(`/admin/v1/keys/${id}`, { method: "DELETE" });
const otherCallers = otherCallersCases(context, `/admin/v1/keys/${unknown}`, { method: "DELETE" });

contract("revokeKey", {
  200: [
    {
      name: "the key stops at once, and for good",
      send: async () => {
        const { id, value } = await context.createKey();
        expect((await context.send("/v1/models", { key: value })).status).toBe(200);
        const response = await revoke(id);
        const refusal = await context.send("/v1/models", { key: value });
        expect([refusal.status, (await bodyOf(refusal)).error.message]).toEqual([
          401,
          "This API key was revoked.",
        ]);
        return response;
      },
      expect: (body) => expect(body).toMatchObject({ status: "revoked", revoked_at: expect.any(Number) }),
    },
    {
      name: "a second time changes nothing",
      send: async () => {
        const { id } = await context.createKey();
        const first = await bodyOf(await revoke(id));
        const second = await revoke(id);
        expect(await bodyOf(second)).toEqual(first);
        return second;
      },
    },
  ],
  400: [
    { name: "a broken percent sign", send: () => revoke("a%ZZ"), expect: saysError("invalid_url") },
    {
      name: "an id that is too long",
      send: () => revoke("a".repeat(301)),
      expect: saysError("string_above_max_length", "key"),
    },
  ],
  401: otherCallers[401],
  403: otherCallers[403],
  404: [{ name: "an unknown key", send: () => revoke(unknown), expect: saysError("key_not_found", "key") }],
  409: [
    {
      name: "a key of the configuration, which goes on working",
      send: async () => {
        const response = await revoke("config:tester");
        expect((await context.send("/v1/models", { key: testKey })).status).toBe(200);
        return response;
      },
      expect: saysError("key_in_file", "key"),
    },
  ],
  500: [storageFaultCase(context, "faulty", () => revoke(unknown)), ...otherCallers[500]],
  503: [storageFaultCase(context, "unavailable", () => revoke(unknown)), ...otherCallers[503]],
});
