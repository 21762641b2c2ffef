import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { adminGateway } from "../admin-gateway.js";
import { contract } from "../contract.js";
import { withoutSessionCases } from "./session-cases.js";

const context = adminGateway();
const path = "/admin/v1/sessions/current";

contract("retrieveSession", {
  200: [
    {
      name: "the session of an operator, without its secret",
      send: async () => {
        const { value, ...session } = await context.createSession();
        const response = await context.send(path, { key: value });
        expect(await response.clone().json()).toEqual(session);
        return response;
      },
      expect: (body) => expect(body).toMatchObject({ kind: "operator", models: expect.any(Array) }),
    },
    {
      name: "the session of a caller",
      send: async () => context.send(path, { key: (await context.createSession(testKey)).value }),
      expect: (body) => expect(body).toMatchObject({ kind: "caller", key_id: "config:tester" }),
    },
  ],
  ...withoutSessionCases(context, path),
});
