/** A credential as operators see it, without its secret. */
export interface CredentialState {
  readonly source: string;
  /**
   * `idle`: none is held, and the next request asks for one. `failing`: the renewal has failed, and the last one is used
   * until it expires. `missing`: none could be had, so requests fail.
   */
  readonly status: "idle" | "valid" | "failing" | "missing";
  /** Milliseconds since 1970. Null: nothing is held, or it does not expire. */
  readonly expiresAt: number | null;
  /** When it was issued. Null: nothing is held. */
  readonly renewedAt: number | null;
  /** Why the last renewal has failed. It quotes nothing of the issuer's reply. */
  readonly error: string | null;
}
