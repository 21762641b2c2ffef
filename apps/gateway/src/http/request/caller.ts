import type { AccessKey } from "../../domain/access-key.js";
import type { ActiveSession } from "../../sessions/sessions.js";

/** The sender of a request. */
export interface Caller {
  /** The id of its key, or `admin`. Queues are fair between these, and the log has them. */
  readonly id: string;
  /** The name of its key. */
  readonly name: string | undefined;
  /** The key that the request is metered on. Absent for the admin key. */
  readonly key: AccessKey | undefined;
  /** The session whose secret was sent. Undefined where it was a key. */
  readonly session: ActiveSession | undefined;
}

export function callerWithKey(key: AccessKey, session?: ActiveSession): Caller {
  return { id: key.id, name: key.name, key, session };
}

/** The operator: the admin key, or a session that was opened with it. */
export function operator(session?: ActiveSession): Caller {
  return { id: "admin", name: undefined, key: undefined, session };
}
