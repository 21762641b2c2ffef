import { expect } from "vitest";
import { adminGateway } from "../admin-gateway.js";
import { contract, saysError } from "../contract.js";
import { withoutSessionCases } from "./session-cases.js";

const context = adminGateway();
const path = "/admin/v1/sessions/current";
const end = (key: string) => context.send(path, { method: "DELETE", key });
const others = withoutSessionCases(context, path, { method: "DELETE" });

contract("endSession", {
  200: [
    {
      name: "the session is over, and others go on",
      send: async () => {
        const [session, other] = [await context.createSession(), await context.createSession()];
        const response = await end(session.value);
        const list = (key: string) => context.send("/admin/v1/models", { key });
        expect((await list(session.value)).status).toBe(401);
        expect((await list(other.value)).status).toBe(200);
        expect(await response.clone().json()).toMatchObject({ id: session.id });
        return response;
      },
      expect: (body) => expect(body).toMatchObject({ object: "session", ended: true }),
    },
  ],
  ...others,
  401: [
    ...others[401],
    {
      name: "a session that has ended",
      send: async () => {
        const { value } = await context.createSession();
        await end(value);
        return end(value);
      },
      expect: (body, response) => {
        saysError("invalid_api_key")(body, response);
        expect(body.error.message).toBe("This session has ended. Sign in again.");
      },
    },
  ],
});
