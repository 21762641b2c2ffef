import { unwrap } from "@model-gateway/client";
import { createKeyClient } from "./session-client.js";
import type { StoredSession } from "./session-store.js";

/** Exchanges a key, or the code of a link, for a session. It is used for this one request and then forgotten. */
export async function openSession(key: string): Promise<StoredSession> {
  const created = unwrap(await createKeyClient(key).createSession());
  return {
    value: created.value,
    kind: created.kind,
    name: created.operator ?? created.name,
    role: created.role,
    operations: created.operations,
    expiresAt: created.expires_at,
    version: created.gateway_version,
  };
}
