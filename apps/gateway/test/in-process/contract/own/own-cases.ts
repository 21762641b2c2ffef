import { createKeyText } from "@model-gateway/domain/key-text";
import { testAdminKey, testKey } from "../../../gateway/test-gateway.js";
import { type AdminGateway, type AdminInit, storageFaultCase } from "../admin-gateway.js";
import { type ContractCase, saysError } from "../contract.js";

type Cases = readonly [ContractCase, ...ContractCase[]];

/** The responses of each operation on the caller's own key to somebody without one, and while the database is down. */
export function withoutKeyCases(
  context: AdminGateway,
  path: string,
  init: AdminInit = {},
): Record<400 | 401 | 500 | 503, Cases> {
  const asTester = () => context.send(path, { ...init, key: testKey });
  return {
    400: [
      {
        name: "a parameter that would name another key",
        send: () => context.send(`${path}?key=config:other`, { ...init, key: testKey }),
        expect: saysError("unknown_parameter", "key"),
      },
    ],
    401: [
      {
        name: "no key",
        send: () => context.send(path, { ...init, headers: { authorization: "" } }),
        expect: saysError("missing_api_key"),
      },
      {
        name: "an unknown key",
        send: () => context.send(path, { ...init, key: createKeyText("mg_") }),
        expect: saysError("invalid_api_key"),
      },
      {
        name: "the admin key, which has no records",
        send: () => context.send(path, { ...init, key: testAdminKey }),
        expect: saysError("invalid_api_key"),
      },
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
    500: [storageFaultCase(context, "faulty", asTester)],
    503: [storageFaultCase(context, "unavailable", asTester)],
  };
}
