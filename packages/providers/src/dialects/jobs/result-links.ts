import { errorOf, type GatewayError } from "@model-gateway/domain/errors";
import { matchesHost } from "../../http/connection/origins.js";

interface ResultHosts {
  readonly baseUrl: string;
  /** Hosts of the provider's results. `*.example.com` matches every host below `example.com`. */
  readonly hosts: readonly string[];
}

/** Checks the link to an image in a job's result. */
export type ReadResultLink = (link: unknown) => { readonly url: string };

/**
 * Links may only lead to the hosts that a provider names, and to its base URL's host, which a test or a proxy changes.
 * They are fetched without credentials, behind the guard for all upstream links.
 */
export function createResultLinks({ baseUrl, hosts }: ResultHosts): ReadResultLink {
  const { origin } = new URL(baseUrl);
  return (link) => {
    if (typeof link !== "string" || !URL.canParse(link)) throw refused("a result without a link to an image");
    const url = new URL(link);
    const isNamed = url.protocol === "https:" && hosts.some((host) => matchesHost(url.host, host));
    if (url.origin !== origin && !isNamed) throw refused("a link to a host that is not its own");
    return { url: link };
  };
}

function refused(what: string): GatewayError {
  return errorOf("upstream_invalid_reply", { reason: `it has ${what}` });
}
