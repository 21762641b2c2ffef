import { anySignal } from "../domain/abort.js";
import { checkedAddresses, type Lookup, systemLookup } from "./fetch-picture-addresses.js";
import { requestPicture } from "./fetch-picture-answer.js";
import { PictureFetchError } from "./fetch-picture-error.js";
import { hostOf, readPictureUrl } from "./fetch-picture-url.js";
import { type Reach, reachOf } from "./public-address.js";

export interface FetchPictureOptions {
  /** For links of an upstream that its operator trusts: http, and private addresses, are allowed. */
  readonly allowPrivate: boolean;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/**
 * Fetches what a URL leads to, or rejects with a PictureFetchError, or with the signal's reason. Whether it is a
 * picture is for the caller to see.
 */
export type FetchPicture = (url: string, options: FetchPictureOptions) => Promise<Buffer>;

export interface PictureFetcherNeeds {
  /** The longest that one picture may take, with its redirects. */
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
export function createPictureFetcher(needs: PictureFetcherNeeds): FetchPicture {
  const { timeoutMs } = needs;
  return async (url, options) => {
    options.signal.throwIfAborted();
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = anySignal([options.signal, deadline]);
    try {
      return await follow(url, { ...needs, ...options, signal });
    } catch (failure) {
      if (options.signal.aborted) throw options.signal.reason;
      if (failure instanceof PictureFetchError) throw failure;
      const [reason, message] = deadline.aborted
        ? (["timed_out", `The picture did not arrive within ${timeoutMs} ms.`] as const)
        : (["unreachable", "The host of the URL could not be reached, or it cut its answer."] as const);
      throw new PictureFetchError(reason, message, { cause: failure });
    }
  };
}

/** Every redirect is a new URL of a stranger and is checked as the first was. */
async function follow(text: string, rules: PictureFetcherNeeds & FetchPictureOptions): Promise<Buffer> {
  const { allowPrivate } = rules;
  let url = readPictureUrl(text, { allowPrivate });
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const addresses = await checkedAddresses(hostOf(url), { lookup: systemLookup, reachOf, ...rules });
    const answer = await requestPicture({ ...rules, url, addresses });
    if ("picture" in answer) return answer.picture;
    url = readPictureUrl(answer.location, { allowPrivate, from: url });
  }
  throw new PictureFetchError("bad_answer", `The URL redirects more than ${redirectsMax} times.`);
}
