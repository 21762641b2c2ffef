import { expect } from "vitest";
import { sendFresh } from "../../../gateway/fresh-connection.js";
import { testAdminKey, testKey } from "../../../gateway/test-gateway.js";
import { adminGateway, storageFaultCase } from "../admin-gateway.js";
import { bodyOf, contract, saysError } from "../contract.js";

const context = adminGateway();
const path = "/admin/v1/sign-in-codes";
const create = (key = testAdminKey, headers = {}) => context.send(path, { method: "POST", key, headers });
const signIn = (code: string) => context.send("/admin/v1/sessions", { method: "POST", key: code });

contract("createSignInCode", {
  200: [
    {
      name: "a code that signs in once",
      send: async () => {
        const response = await create();
        const { value } = await bodyOf(response);
        const statuses = [(await signIn(value)).status, (await signIn(value)).status];
        expect(statuses).toEqual([200, 401]);
        return response;
      },
      expect: (body) =>
        expect(body).toEqual({
          object: "sign_in_code",
          value: expect.stringMatching(/^mg_code_[0-9a-z]{38}$/),
          expires_at: expect.closeTo(Date.now() / 1000 + 600, -2),
        }),
    },
    {
      name: "a code that ends the one before",
      send: async () => {
        const { value: first } = await bodyOf(await create());
        const response = await create();
        const { value: second } = await bodyOf(response);
        const statuses = [(await signIn(first)).status, (await signIn(second)).status];
        expect(statuses).toEqual([401, 200]);
        return response;
      },
    },
  ],
  400: [
    {
      name: "a parameter that is not there",
      send: () => context.send(`${path}?minutes=60`, { method: "POST" }),
      expect: saysError("unknown_parameter", "minutes"),
    },
  ],
  401: [
    {
      name: "no key",
      send: () => context.send(path, { method: "POST", headers: { authorization: "" } }),
      expect: saysError("missing_api_key"),
    },
    { name: "a wrong key", send: () => create("wrong"), expect: saysError("invalid_api_key") },
  ],
  403: [
    { name: "the key of a caller", send: () => create(testKey), expect: saysError("admin_key_required") },
    {
      name: "the session of an operator, which could outlive itself",
      send: async () => create((await context.createSession()).value),
      expect: saysError("admin_key_required"),
    },
    {
      name: "a request through a proxy",
      send: () => create(testAdminKey, { "x-forwarded-for": "127.0.0.1" }),
      expect: saysError("sign_in_code_not_local"),
    },
    {
      name: "a request for another host",
      send: async () => {
        const headers = { host: "gateway.example" };
        const url = `${context.gateway.url}${path}`;
        // `fetch` sends its own host.
        const sent = await sendFresh(url, { method: "POST", key: testAdminKey, headers });
        return new Response(sent.text, {
          status: sent.status,
          headers: sent.headers as Record<string, string>,
        });
      },
      expect: saysError("sign_in_code_not_local"),
    },
  ],
  500: [storageFaultCase(context, "faulty", () => create())],
  503: [storageFaultCase(context, "unavailable", () => create())],
});
