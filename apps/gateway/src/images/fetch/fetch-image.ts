import { isIP, type LookupFunction } from "node:net";
import { Client, type Dispatcher } from "undici";
import { anySignal } from "../../runtime/abort.js";
import {
  checkedAddresses,
  hostOf,
  ImageFetchError,
  type Lookup,
  type Reach,
  reachOf,
  readImageUrl,
  systemLookup,
} from "./check-url.js";

export interface FetchImageOptions {
  /** For links of an upstream that its operator trusts: http, and private addresses, are allowed. */
  readonly allowPrivate: boolean;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/**
 * Fetches what a URL leads to, or rejects with a ImageFetchError, or with the signal's reason. Whether it is a
 * image is for the caller to see.
 */
export type FetchImage = (url: string, options: FetchImageOptions) => Promise<Buffer>;

export interface ImageFetcherOptions {
  /** The longest that one image may take, with its redirects. */
  readonly timeoutMs: number;
  /** The system's, if not given. */
  readonly lookup?: Lookup;
  /** By IANA's registries, if not given. */
  readonly reachOf?: (address: string) => Reach;
  /** Certificates to trust in place of those that Node comes with. */
  readonly ca?: string;
}

const redirectsMax = 3;

/** Makes the one way to fetch a URL that a caller or an upstream wrote: guarded against everything but the public web. */
export function createImageFetcher(needs: ImageFetcherOptions): FetchImage {
  const { timeoutMs } = needs;
  return async (url, options) => {
    options.signal.throwIfAborted();
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = anySignal([options.signal, deadline]);
    try {
      return await follow(url, { ...needs, ...options, signal });
    } catch (failure) {
      if (options.signal.aborted) throw options.signal.reason;
      if (failure instanceof ImageFetchError) throw failure;
      const [reason, message] = deadline.aborted
        ? (["timed_out", `The image did not arrive within ${timeoutMs} ms.`] as const)
        : (["unreachable", "The host of the URL could not be reached, or it cut its answer."] as const);
      throw new ImageFetchError(reason, message, { cause: failure });
    }
  };
}

/** Every redirect is a new URL of a stranger and is checked as the first was. */
async function follow(text: string, rules: ImageFetcherOptions & FetchImageOptions): Promise<Buffer> {
  const { allowPrivate } = rules;
  let url = readImageUrl(text, { allowPrivate });
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const addresses = await checkedAddresses(hostOf(url), { lookup: systemLookup, reachOf, ...rules });
    const answer = await requestImage({ ...rules, url, addresses });
    if ("image" in answer) return answer.image;
    url = readImageUrl(answer.location, { allowPrivate, from: url });
  }
  throw new ImageFetchError("bad_answer", `The URL redirects more than ${redirectsMax} times.`);
}

export interface GuardedRequest {
  readonly url: URL;
  /** The addresses that were checked; no other is connected to. */
  readonly addresses: readonly string[];
  readonly bytesMax: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Certificates to trust in place of those that Node comes with. */
  readonly ca?: string;
}

export type FetchedImage = { readonly image: Buffer } | { readonly location: string };

/** Asks for an image once, over a connection of its own that is closed when this returns. */
export async function requestImage(request: GuardedRequest): Promise<FetchedImage> {
  const { url, bytesMax, timeoutMs, signal, ca } = request;
  const client = new Client(url.origin, {
    // The certificate is still checked against the name in the URL.
    connect: { lookup: pinnedTo(request.addresses), timeout: timeoutMs, ...(ca === undefined ? {} : { ca }) },
    pipelining: 0,
  });
  try {
    const reply = await client.request({
      method: "GET",
      path: `${url.pathname}${url.search}`,
      headers: { accept: "image/*", "accept-encoding": "identity", "user-agent": "model-gateway" },
      signal,
    });
    return redirectOf(reply) ?? { image: await readImage(reply, bytesMax) };
  } finally {
    await client.destroy();
  }
}

/** A name that is looked up again for the connection could lead elsewhere by then, so that the connection gets this. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    if (options.all === true) callback(null, pinned);
    else callback(null, pinned[0]?.address ?? "", pinned[0]?.family);
  };
}

function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): FetchedImage | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode);
  return isRedirect && typeof headers.location === "string" ? { location: headers.location } : undefined;
}

async function readImage(reply: Dispatcher.ResponseData, bytesMax: number): Promise<Buffer> {
  const { statusCode, headers, body } = reply;
  if (statusCode !== 200) {
    throw new ImageFetchError("bad_answer", `The URL answered with status ${statusCode}.`);
  }
  // A few compressed bytes can become many, and an image gains nothing by it.
  if ((headers["content-encoding"] ?? "identity") !== "identity") {
    throw new ImageFetchError("bad_answer", "The URL answered with a compressed body.");
  }
  if (Number(headers["content-length"] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(bytesMax: number): ImageFetchError {
  return new ImageFetchError("too_large", `The image has more than ${bytesMax} bytes.`);
}
