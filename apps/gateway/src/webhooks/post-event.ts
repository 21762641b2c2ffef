import { codeOf } from "@model-gateway/domain/failure-code";
import type { Webhook } from "@model-gateway/domain/webhook";
import { untilTimeout } from "@model-gateway/runtime/until-timeout";
import { type Agent, request } from "undici";
import type { StoredDelivery } from "./delivery-store.js";
import { signatureHeaders } from "./sign.js";

/** Time for a receiver to reply, including the connection. */
const replyMsMax = 10_000;
/** The body of a reply says nothing that matters. More than this closes the connection. */
const replyBytesMax = 16 * 1024;
const gone = 410;

/** Why the receiver does not have an event. */
export interface AttemptFailure {
  /** A sentence for the log, without the URL: its path may be a secret. */
  readonly reason: string;
  /** Whether the receiver wants no more events. */
  readonly isFinal: boolean;
}

interface PostOptions {
  readonly agent: Agent;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly timeoutMs?: number;
}

/**
 * Posts a signed event. Redirects are not followed: they would send the event to an address that the operator has not
 * named. Resolves to why the receiver does not have it.
 */
export async function postEvent(
  { url, secret }: Webhook,
  { messageId: id, body }: Pick<StoredDelivery, "messageId" | "body">,
  { agent, signal, now, timeoutMs = replyMsMax }: PostOptions,
): Promise<AttemptFailure | undefined> {
  try {
    const reply = await request(url, {
      method: "POST",
      dispatcher: agent,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "model-gateway",
        ...signatureHeaders({ id, at: now(), body }, secret),
      },
      body,
      signal: untilTimeout(signal, timeoutMs),
    });
    void reply.body.dump({ limit: replyBytesMax }).catch(() => undefined);
    const { statusCode } = reply;
    if (statusCode >= 200 && statusCode <= 299) return undefined;
    return { reason: `The receiver replied with the status ${statusCode}.`, isFinal: statusCode === gone };
  } catch (failure) {
    return { reason: describe(failure, timeoutMs), isFinal: false };
  }
}

/** The message of a network error may contain the URL, so only its code is recorded. */
function describe(failure: unknown, timeoutMs: number): string {
  if (failure instanceof Error && failure.name === "TimeoutError")
    return `The receiver did not reply within ${timeoutMs} ms.`;
  return `The receiver cannot be reached (${codeOf(failure) || "unknown"}).`;
}
