import type { components } from "@model-gateway/client";

/** The signed-in session. The key itself is never kept: only the session's secret, for this tab. */
export interface StoredSession {
  /** The bearer secret. */
  readonly value: string;
  readonly kind: "operator" | "caller";
  /** The name of the key that calls are recorded under. For an operator, the operator's own. */
  readonly name: string;
  /** The operator's role. `null` for a caller. */
  readonly role: components["schemas"]["OperatorRole"];
  /** The operations that it may call. */
  readonly operations: readonly string[];
  /** Unix seconds. */
  readonly expiresAt: number;
  readonly version: string;
}

export interface SessionState {
  readonly session: StoredSession | undefined;
  /** Whether a session was there and is over, for the words of the sign-in. */
  readonly isOver: boolean;
  /** The sign-in with the one-time code of a link: in progress, or why it failed. */
  readonly link?: "pending" | Error | undefined;
}

const name = "model-gateway.session";

/** The session of this tab, in `sessionStorage`: a later start of the browser does not have it. */
export class SessionStore {
  #state: SessionState = { session: readStored(), isOver: false };
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly read = (): SessionState => this.#state;

  begin(session: StoredSession): void {
    sessionStorage.setItem(name, JSON.stringify(session));
    this.#change({ session, isOver: false });
  }

  /** A link is being followed. */
  awaitLink(): void {
    sessionStorage.removeItem(name);
    this.#change({ session: undefined, isOver: false, link: "pending" });
  }

  refuseLink(failure: Error): void {
    this.#change({ session: undefined, isOver: false, link: failure });
  }

  /** Signed out by the person. */
  end(): void {
    sessionStorage.removeItem(name);
    this.#change({ session: undefined, isOver: false });
  }

  /** The gateway no longer accepts the session. Several responses may say so at once. */
  expire(): void {
    if (this.#state.session === undefined) return;
    sessionStorage.removeItem(name);
    this.#change({ session: undefined, isOver: true });
  }

  #change(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

function readStored(): StoredSession | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(name) ?? "null");
    return isSession(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is a session that has not expired. */
export function isSession(stored: unknown): stored is StoredSession {
  if (typeof stored !== "object" || stored === null) return false;
  const { value, kind, name, role, operations, expiresAt } = stored as Partial<StoredSession>;
  return (
    typeof value === "string" &&
    (kind === "operator" || kind === "caller") &&
    typeof name === "string" &&
    role !== undefined &&
    Array.isArray(operations) &&
    typeof expiresAt === "number" &&
    expiresAt * 1000 > Date.now()
  );
}
