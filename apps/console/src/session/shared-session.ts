import { isSession, type SessionStore, type StoredSession } from "./session-store.js";

/** A message between the tabs of one browser. */
type Message =
  | { readonly kind: "ask"; readonly from: string }
  | { readonly kind: "session"; readonly to: string; readonly session: StoredSession }
  | { readonly kind: "end"; readonly value: string };

export type Channel = Pick<BroadcastChannel, "postMessage" | "addEventListener" | "close">;

/**
 * Signs a new tab in: it asks the tabs of this browser, and one that is signed in responds with its session. Nothing is
 * stored. Signing out in one tab ends the session in all of them. Every page of the origin can read the channel, so it is
 * opened only if the gateway has the origin to itself.
 */
export class SharedSession {
  readonly #id = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");
  #onResponse: () => void = () => undefined;

  constructor(
    private readonly store: Pick<SessionStore, "read" | "begin">,
    private readonly channel: Channel,
    /** Another tab has signed out of the session of this one. */
    private readonly onEnd: () => void,
  ) {
    channel.addEventListener("message", ({ data }) => this.#receive(data as Message));
  }

  /** Resolves after a response, or when the time is up. A response that comes later signs in all the same. */
  async ask(waitMs: number): Promise<void> {
    const response = new Promise<void>((resolve) => {
      this.#onResponse = resolve;
      setTimeout(resolve, waitMs);
    });
    this.#send({ kind: "ask", from: this.#id });
    await response;
  }

  /** Ends the session in the other tabs. */
  end({ value }: StoredSession): void {
    this.#send({ kind: "end", value });
  }

  #receive(message: Message): void {
    const { session, link } = this.store.read();
    if (message.kind === "ask" && session !== undefined)
      this.#send({ kind: "session", to: message.from, session });
    if (message.kind === "end" && message.value === session?.value) this.onEnd();
    if (message.kind !== "session" || message.to !== this.#id) return;
    if (session === undefined && link !== "pending" && isSession(message.session))
      this.store.begin(message.session);
    this.#onResponse();
  }

  #send(message: Message): void {
    this.channel.postMessage(message);
  }
}
