import { createKeyText, isKeyText, type KeyDigest } from "@model-gateway/domain/key-text";
import { adminOperator } from "@model-gateway/domain/operator";
import { newId } from "@model-gateway/runtime/new-id";
import { askStore, type TimeoutSignal } from "../keys/key-store.js";
import type { OperatorKeys } from "../keys/operator-keys.js";
import type { SessionStore } from "./session-store.js";

interface SignInCodesOptions {
  readonly store: Pick<SessionStore, "create" | "take">;
  readonly digest: KeyDigest;
  readonly timeout: TimeoutSignal;
  readonly operators: Pick<OperatorKeys, "markOf">;
  /** A code was refused. */
  readonly onRefused: () => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface SignInCode {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const lifetimeMs = 10 * 60_000;
/** A new code ends the one before. */
const codesMax = 1;

/**
 * One-time codes for the console link on a terminal. Each makes its holder the admin, once and within ten minutes. The
 * database has a digest, and decides which of several workers may accept a code: the one that deletes its row.
 */
export class SignInCodes {
  readonly #options: SignInCodesOptions;

  constructor(options: SignInCodesOptions) {
    this.#options = options;
  }

  async create(): Promise<SignInCode> {
    const { store, digest, timeout, now } = this.#options;
    const text = createKeyText("mg_code_");
    const createdAt = now();
    const row = {
      id: newId("code_"),
      digest: digest(text),
      kind: "code",
      grantedBy: this.#grant(),
      createdAt,
      expiresAt: createdAt + lifetimeMs,
    } as const;
    await askStore(store.create(row, codesMax), timeout);
    return { text, expiresAt: row.expiresAt };
  }

  /** Whether a text is a code that may be used now. It is used up by this call. */
  async redeem(text: string): Promise<boolean> {
    const { store, digest, timeout, now, onRefused } = this.#options;
    const row = isKeyText(text, "mg_code_") ? await askStore(store.take(digest(text)), timeout) : undefined;
    const isValid = row?.kind === "code" && row.expiresAt > now() && row.grantedBy === this.#grant();
    if (!isValid) onRefused();
    return isValid;
  }

  /** Another admin key ends codes, as it ends sessions. */
  #grant(): string {
    return `code:${this.#options.operators.markOf(adminOperator)}`;
  }
}
