import { isIP } from "node:net";
import { PictureFetchError } from "./fetch-picture-error.js";

export interface PictureUrlRules {
  readonly allowPrivate: boolean;
  /** The URL that redirected here, which a relative one is relative to. */
  readonly from?: URL;
}

/** Reads a URL that a stranger wrote, and refuses what is no plain web address. Where its host leads is checked apart. */
export function readPictureUrl(text: string, rules: PictureUrlRules): URL {
  // Parsers disagree on these, and whoever checked the URL before us may have read another host in it.
  if (/[\p{Cc}\s\\]/u.test(text))
    throw refused("The URL has spaces, control characters or backslashes in it.");
  if (rules.from === undefined && !/^[a-z]+:\/\/[^/]/i.test(text)) throw refused("The URL is not absolute.");
  if (!URL.canParse(text, rules.from?.href)) throw refused("The URL is not valid.");
  const url = new URL(text, rules.from?.href);

  if (url.protocol !== "https:" && !(rules.allowPrivate && url.protocol === "http:")) {
    throw refused(`Only ${rules.allowPrivate ? "http and https" : "https"} URLs can be fetched.`);
  }
  if (rules.from?.protocol === "https:" && url.protocol !== "https:") {
    throw refused("The URL redirects from https to http.");
  }
  if (url.username !== "" || url.password !== "")
    throw refused("The URL has a user name or a password in it.");
  if (url.port === "0") throw refused("The URL has a port that does not exist.");
  if (!rules.allowPrivate && !isPublicHost(hostOf(url))) {
    throw refused("The host of the URL is neither a full domain name nor an address.");
  }
  return url;
}

/** The host as resolvers and sockets take it: an IPv6 address has no brackets there. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** A name without a dot is looked up in the gateway's own domain, and one that ends in a dot passes by lists of names. */
function isPublicHost(host: string): boolean {
  return isIP(host) !== 0 || /[^.]\.[^.]+$/.test(host);
}

function refused(message: string): PictureFetchError {
  return new PictureFetchError("refused", message);
}
