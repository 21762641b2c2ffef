import type { Dispatcher } from "undici";

/** Statuses of a store that is busy or broken for a moment. A throttled request has 503 or 429. */
const transientStatuses = new Set([429, 500, 502, 503, 504]);
const errorBytesMax = 64 * 1024;

/** A failed request to a bucket. Its message holds no text of the store, which may quote the request. */
export class S3Error extends Error {
  /** The store's own code, such as `AccessDenied`, or that of the connection, such as `ECONNREFUSED`. */
  readonly code: string;
  readonly status: number | undefined;
  /** Whether the same request may succeed in a moment. */
  readonly isTransient: boolean;
  /** Whether the same request may succeed at once, with credentials that are issued anew. */
  readonly mayPassRenewed: boolean;

  constructor(
    message: string,
    {
      code,
      status,
      isTransient,
      mayPassRenewed = false,
      cause,
    }: { code: string; status?: number; isTransient: boolean; mayPassRenewed?: boolean; cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "S3Error";
    this.code = code;
    this.status = status;
    this.isTransient = isTransient;
    this.mayPassRenewed = mayPassRenewed;
  }
}

/** The codes of refusals after which new credentials may help. */
const staleCredentials = new Set(["ExpiredToken", "InvalidToken", "InvalidAccessKeyId"]);

/**
 * The error in a reply. https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 *
 * @param giveUp Gives up the credentials of the request. Returns whether there may be others.
 */
export async function errorOfReply(
  { statusCode: status, body }: Dispatcher.ResponseData,
  giveUp: () => boolean,
): Promise<S3Error> {
  const code = codeIn((await readText(body, errorBytesMax)) ?? "") ?? "unknown";
  return new S3Error(`The bucket replied with the status ${status} and the code ${code}.`, {
    code,
    status,
    isTransient: transientStatuses.has(status),
    mayPassRenewed: staleCredentials.has(code) && giveUp(),
  });
}

/** The code of an error in XML. Undefined if it is not a short word, as all codes are. */
export function codeIn(xml: string): string | undefined {
  return /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(xml)?.[1];
}

/** A reply of 2xx that S3 does not send: another kind of server is at the endpoint. */
export function badReply(problem: string): S3Error {
  return new S3Error(`The endpoint of the bucket sent a reply that S3 does not send: ${problem}.`, {
    code: "bad_reply",
    isTransient: false,
  });
}

export function timedOut(timeoutMs: number): S3Error {
  return new S3Error(`The bucket did not reply within ${Math.round(timeoutMs)} ms.`, {
    code: "timed_out",
    isTransient: true,
  });
}

/** Nothing was sent, because the gateway has no valid credentials. The cause quotes none. */
export function credentialsMissing(cause: unknown): S3Error {
  return new S3Error("The gateway could not get credentials for the bucket.", {
    code: "no_credentials",
    isTransient: true,
    cause,
  });
}

/** A failure below HTTP: a refused, broken or silent connection. */
export function connectionError(cause: unknown): S3Error {
  const own = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const code = typeof own === "string" ? own : "unknown";
  return new S3Error(`The connection to the bucket failed with ${code}.`, { code, isTransient: true, cause });
}

/** The text of a body, or undefined if it is larger than the limit. */
export async function readText(
  body: Dispatcher.ResponseData["body"],
  bytesMax: number,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
