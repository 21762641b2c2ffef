import { createKeyText } from "@model-gateway/domain/key-text";
import { expect } from "vitest";
import { sendFresh } from "../../../gateway/fresh-connection.js";
import { testAdminKey, testKey } from "../../../gateway/test-gateway.js";
import { adminGateway, storageFaultCase } from "../admin-gateway.js";
import { contract, saysError } from "../contract.js";

const context = adminGateway();
const path = "/admin/v1/sessions";
const signIn = (key: string) => context.send(path, { method: "POST", key });
const eightHours = 8 * 3600;
const newCode = async () => (await context.gateway.app.createSignInCode()) ?? "";

contract("createSession", {
  200: [
    {
      name: "the session of an operator, with the admin key",
      send: () => signIn(testAdminKey),
      expect: (body) => {
        expect(body).toEqual({
          object: "session",
          id: expect.stringMatching(/^session_[0-9a-f]{24}$/),
          kind: "operator",
          operator: "admin",
          role: "admin",
          key_id: "console:operator",
          name: "console",
          created_at: expect.closeTo(Date.now() / 1000, -2),
          expires_at: body.created_at + eightHours,
          gateway_version: "1.0.0",
          models: ["far", "near", "nearer", "gone", "any-*"],
          operations: expect.arrayContaining(["createEmbedding", "createKey", "listUpstreams"]),
          value: expect.stringMatching(/^mg_session_[0-9a-z]{38}$/),
        });
      },
    },
    {
      name: "the session of an operator, with the code of a console link",
      send: async () => signIn(await newCode()),
      expect: (body) => expect(body).toMatchObject({ kind: "operator", key_id: "console:operator" }),
    },
    {
      name: "the session of a caller, with a key of the file",
      send: () => signIn(testKey),
      expect: (body) =>
        expect(body).toMatchObject({ kind: "caller", key_id: "config:tester", name: "tester" }),
    },
    {
      name: "the session of a caller, for what a key of the database may call and as long as it works",
      send: async () => {
        const expires_at = Math.floor(Date.now() / 1000) + 3600;
        return signIn((await context.createKey({ models: ["near*"], expires_at })).value);
      },
      expect: (body) => {
        expect(body).toMatchObject({ kind: "caller", name: "a key", models: ["near", "nearer"] });
        expect(body.expires_at).toBeLessThan(body.created_at + eightHours);
      },
    },
  ],
  400: [
    {
      name: "a parameter that is not there",
      send: () => context.send(`${path}?kind=operator`, { method: "POST" }),
      expect: saysError("unknown_parameter", "kind"),
    },
  ],
  401: [
    {
      name: "no key",
      send: () => context.send(path, { method: "POST", headers: { authorization: "" } }),
      expect: saysError("missing_api_key"),
    },
    { name: "a wrong key", send: () => signIn("wrong"), expect: saysError("invalid_api_key") },
    {
      name: "a session",
      send: async () => signIn((await context.createSession()).value),
      expect: saysError("invalid_api_key"),
    },
    {
      name: "a code that was used already",
      send: async () => {
        const code = await newCode();
        await signIn(code);
        return signIn(code);
      },
      expect: saysError("invalid_sign_in_code"),
    },
    {
      name: "a code that was never given out",
      send: () => signIn(createKeyText("mg_code_")),
      expect: saysError("invalid_sign_in_code"),
    },
    {
      name: "a revoked key",
      send: async () => {
        const { id, value } = await context.createKey();
        await context.send(`/admin/v1/keys/${id}`, { method: "DELETE" });
        return signIn(value);
      },
      expect: (body, response) => {
        saysError("invalid_api_key")(body, response);
        expect(body.error.message).toBe("This API key was revoked.");
      },
    },
  ],
  403: [
    {
      name: "a code through a proxy, which stays unused",
      send: async () => {
        const code = await newCode();
        const headers = { "x-forwarded-for": "127.0.0.1" };
        const refused = await context.send(path, { method: "POST", key: code, headers });
        expect((await signIn(code)).status).toBe(200);
        return refused;
      },
      expect: saysError("sign_in_code_not_local"),
    },
    {
      name: "a code for another host",
      send: async () => {
        const headers = { host: "gateway.example" };
        const url = `${context.gateway.url}${path}`;
        // `fetch` sends its own host.
        const sent = await sendFresh(url, { method: "POST", key: await newCode(), headers });
        return new Response(sent.text, {
          status: sent.status,
          headers: sent.headers as Record<string, string>,
        });
      },
      expect: saysError("sign_in_code_not_local"),
    },
  ],
  429: [
    {
      name: "a wrong key, after many of them",
      send: async () => {
        // Each makes the wait longer, so that this passes however slow the machine is.
        for (let failures = 0; failures < 12; failures += 1) await signIn("wrong");
        return signIn("wrong");
      },
      expect: saysError("rate_limit_exceeded"),
    },
  ],
  500: [storageFaultCase(context, "faulty", () => signIn(testAdminKey))],
  503: [
    storageFaultCase(context, "unavailable", () => signIn(testAdminKey)),
    storageFaultCase(context, "unavailable", () => signIn(createKeyText("mg_"))),
    storageFaultCase(context, "unavailable", () => signIn(createKeyText("mg_code_"))),
  ],
});
