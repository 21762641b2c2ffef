import { GatewayError } from "@model-gateway/domain/errors";
import { clientNetwork } from "@model-gateway/domain/ip-address";
import { backoffMs } from "@model-gateway/runtime/backoff";
import { LRUCache } from "lru-cache";

const freeFailures = 5;
const firstWaitMs = 1000;
const waitMsMax = 60_000;
/** Number of networks remembered, and of key prefixes. */
const subjectsMax = 10_000;
/** Failures are forgotten after this time without another. */
const forgetMs = 10 * 60_000;
/** The letters of a secret that guesses at the same key share. */
const sharedLetters = 4;

interface Failures {
  readonly count: number;
  /** A wrong key before this time is refused with a wait. */
  readonly until: number;
}

/** A key that was wrong, and who sent it. */
interface WrongKey {
  readonly address: string;
  readonly text: string;
}

/**
 * Slows down callers that guess keys. Wrong keys count for the network that they come from, and for the beginning of
 * the key: guesses at one key may come from many networks. After five, each further one has to wait longer. A right key
 * never gets here, so a stranger behind the same address cannot lock out others (decision 0051).
 */
export class SignInAttempts {
  readonly #now: () => number;
  readonly #networks: LRUCache<string, Failures>;
  readonly #beginnings: LRUCache<string, Failures>;

  /** @param now Milliseconds of the monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
    const options = { max: subjectsMax, ttl: forgetMs, perf: { now } };
    this.#networks = new LRUCache(options);
    this.#beginnings = new LRUCache(options);
  }

  /** Counts a wrong key. Returns the refusal of one that came too early; undefined for one that was in time. */
  fail({ address, text }: WrongKey): GatewayError | undefined {
    const waitMs = Math.max(
      this.#count(this.#networks, clientNetwork(address)),
      this.#count(this.#beginnings, beginningOf(text)),
    );
    if (waitMs <= 0) return undefined;
    return new GatewayError(
      "rate_limit_exceeded",
      `Incorrect key provided, and too many before it. Wait ${Math.ceil(waitMs / 1000)} s before the next attempt; the right key is accepted at once.`,
      { retryAfterMs: waitMs },
    );
  }

  /** Counts a failure. Returns how long the subject still had to wait. */
  #count(failures: LRUCache<string, Failures>, subject: string): number {
    const now = this.#now();
    const before = failures.get(subject) ?? { count: 0, until: 0 };
    const count = before.count + 1;
    const counted = count - freeFailures + 1;
    const waitMs = counted < 1 ? 0 : backoffMs(counted, { firstMs: firstWaitMs, maxMs: waitMsMax });
    failures.set(subject, { count, until: now + waitMs });
    return before.until > now ? waitMs : 0;
  }
}

/** A key's kind and the first letters of its secret. */
function beginningOf(text: string): string {
  const kind = /^mg_(?:admin_)?/.exec(text)?.[0] ?? "";
  return text.slice(0, kind.length + sharedLetters);
}
