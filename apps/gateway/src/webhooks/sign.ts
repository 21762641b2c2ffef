import { createHmac } from "node:crypto";

interface SignedDelivery {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly body: string;
}

/**
 * The Standard Webhooks headers. Every attempt is signed again, because receivers refuse an old timestamp.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureHeaders({ id, at, body }: SignedDelivery, secret: Buffer): Record<string, string> {
  const timestamp = Math.floor(at / 1000);
  const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${signature}`,
  };
}
