import { isIP, type LookupFunction } from "node:net";
import { anySignal } from "@model-gateway/runtime/abort";
import { GrowingBuffer } from "@model-gateway/runtime/growing-buffer";
import { Client, type Dispatcher as UndiciDispatcher } from "undici";
import {
  type AddressScope,
  addressScope,
  hostOf,
  ImageFetchError,
  type Lookup,
  readImageUrl,
  resolveHost,
  systemLookup,
} from "./check-url.js";

export interface FetchImageOptions {
  /** Allows http and private addresses, for the links of an upstream that its operator trusts. */
  readonly allowPrivate: boolean;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/**
 * Fetches the content of a URL. It rejects with an `ImageFetchError`, or with the signal's reason. The caller checks
 * whether the content is an image.
 */
export type FetchImage = (url: string, options: FetchImageOptions) => Promise<Buffer>;

export interface ImageFetcherOptions {
  /** The time limit for one image, redirects included. */
  readonly timeoutMs: number;
  /** Defaults to the resolver of the system. */
  readonly lookup?: Lookup;
  /** Defaults to IANA's registries. */
  readonly addressScope?: (address: string) => AddressScope;
  /** Certificates to trust instead of those that come with Node. */
  readonly ca?: string;
}

const redirectsMax = 3;

/** Every URL that a caller or an upstream wrote is fetched by this, under the guard of `check-url.ts`. */
export function createImageFetcher(settings: ImageFetcherOptions): FetchImage {
  const { timeoutMs } = settings;
  return async (url, options) => {
    options.signal.throwIfAborted();
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = anySignal([options.signal, deadline]);
    try {
      return await follow(url, { ...settings, ...options, signal });
    } catch (failure) {
      if (options.signal.aborted) throw options.signal.reason;
      if (failure instanceof ImageFetchError) throw failure;
      const [reason, message] = deadline.aborted
        ? (["timed_out", `The image did not arrive within ${timeoutMs} ms.`] as const)
        : ([
            "unreachable",
            "The host of the URL could not be reached, or it closed the connection early.",
          ] as const);
      throw new ImageFetchError(reason, message, { cause: failure });
    }
  };
}

/** A redirect is as untrusted as the first URL, so each one passes the same checks. */
async function follow(text: string, rules: ImageFetcherOptions & FetchImageOptions): Promise<Buffer> {
  const { allowPrivate } = rules;
  let url = readImageUrl(text, { allowPrivate });
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const addresses = await resolveHost(hostOf(url), { lookup: systemLookup, addressScope, ...rules });
    const reply = await requestImage({ ...rules, url, addresses });
    if ("image" in reply) return reply.image;
    url = readImageUrl(reply.location, { allowPrivate, from: url });
  }
  throw new ImageFetchError("bad_reply", `The URL redirects more than ${redirectsMax} times.`);
}

interface GuardedRequest {
  readonly url: URL;
  /** The checked addresses. The connection uses no other. */
  readonly addresses: readonly string[];
  readonly bytesMax: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Certificates to trust instead of those that come with Node. */
  readonly ca?: string;
}

type FetchedImage = { readonly image: Buffer } | { readonly location: string };

/** Sends one request, over a separate connection that is closed when this returns. */
async function requestImage(request: GuardedRequest): Promise<FetchedImage> {
  const { url, bytesMax, timeoutMs, signal, ca } = request;
  const client = new Client(url.origin, {
    // The certificate is still checked against the host name in the URL.
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

/** Against DNS rebinding: a second lookup, for the connection, could return an address that was not checked. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    if (options.all === true) callback(null, pinned);
    else callback(null, pinned[0]?.address ?? "", pinned[0]?.family);
  };
}

function redirectOf({ statusCode, headers }: UndiciDispatcher.ResponseData): FetchedImage | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode);
  return isRedirect && typeof headers.location === "string" ? { location: headers.location } : undefined;
}

/** The length that a reply declares may be a lie. */
const firstBytes = 64 * 1024;

async function readImage(reply: UndiciDispatcher.ResponseData, bytesMax: number): Promise<Buffer> {
  const { statusCode, headers, body } = reply;
  if (statusCode !== 200) {
    throw new ImageFetchError("bad_reply", `The URL returned status ${statusCode}.`);
  }
  // A few compressed bytes can expand to many, and images hardly compress.
  if ((headers["content-encoding"] ?? "identity") !== "identity") {
    throw new ImageFetchError("bad_reply", "The URL returned a compressed body.");
  }
  if (Number(headers["content-length"] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const buffer = new GrowingBuffer(firstBytes, bytesMax);
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    buffer.add(chunk);
  }
  return buffer.content;
}

function tooLarge(bytesMax: number): ImageFetchError {
  return new ImageFetchError("too_large", `The image is larger than ${bytesMax} bytes.`);
}
