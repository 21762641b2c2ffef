import { createKeyText } from "@model-gateway/domain/key-text";
import { testAdminKey, testKey } from "../../../gateway/test-gateway.js";
import { type AdminGateway, type AdminInit, storageFaultCase } from "../admin-gateway.js";
import { type ContractCase, saysError } from "../contract.js";

type Cases = readonly [ContractCase, ...ContractCase[]];

/** Responses of the session operations to a caller without a session, and while the database is down. */
export function withoutSessionCases(
  context: AdminGateway,
  path: string,
  init: AdminInit = {},
): Record<400 | 401 | 500 | 503, Cases> {
  const unknown = () => context.send(path, { ...init, key: createKeyText("mg_session_") });
  return {
    400: [
      {
        name: "a parameter that is not there",
        send: async () =>
          context.send(`${path}?all=1`, { ...init, key: (await context.createSession()).value }),
        expect: saysError("unknown_parameter", "all"),
      },
    ],
    401: [
      {
        name: "no secret",
        send: () => context.send(path, { ...init, headers: { authorization: "" } }),
        expect: saysError("missing_api_key"),
      },
      { name: "a session that is not there", send: unknown, expect: saysError("invalid_api_key") },
      ...[testAdminKey, testKey].map((key) => ({
        name: `a key instead of a session: ${key}`,
        send: () => context.send(path, { ...init, key }),
        expect: saysError("invalid_api_key"),
      })),
      {
        name: "a session of a key that was revoked since",
        send: async () => {
          const { id, value } = await context.createKey();
          const session = await context.createSession(value);
          await context.send(`/admin/v1/keys/${id}`, { method: "DELETE" });
          return context.send(path, { ...init, key: session.value });
        },
        expect: saysError("invalid_api_key"),
      },
    ],
    500: [storageFaultCase(context, "faulty", unknown)],
    503: [storageFaultCase(context, "unavailable", unknown)],
  };
}
