/** A session, as the database keeps it. The secret itself is not stored. */
export interface StoredSession {
  /** `session_` and 24 hexadecimal digits. */
  readonly id: string;
  readonly digest: Buffer;
  readonly kind: SessionKind | SignInCodeKind;
  /** The id of the caller's key. For an operator, a mark of the admin key: another admin key ends the session. */
  readonly grantedBy: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

export type SessionKind = "operator" | "caller";

/** The row of a one-time code (`sign-in-codes.ts`). It is not a session, and is deleted when it becomes one. */
type SignInCodeKind = "code";

/** Sessions, shared by all gateways on one database. Implemented in `storage/keys/session-store.ts`. */
export interface SessionStore {
  /** Stores a session. Deletes those that have expired, and the oldest ones of the same grant beyond `perGrantMax`. */
  create(session: StoredSession, perGrantMax: number): Promise<void>;
  findByDigest(digest: Buffer): Promise<StoredSession | undefined>;
  /** Deletes a row and returns it. Of several concurrent calls, on any gateway, one gets it. */
  take(digest: Buffer): Promise<StoredSession | undefined>;
  /** Deletes a session. A missing one is not an error. */
  end(id: string): Promise<void>;
}
