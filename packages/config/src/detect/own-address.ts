import type { EnvironmentVariables } from "../files/read-yaml.js";

const defaultPort = 8080;
/** Addresses of this machine, as `URL` writes them. A server that listens on every address is reached at the first two. */
const loopbackHosts = new Set(["127.0.0.1", "[::1]", "localhost", "0.0.0.0", "[::]"]);

/** The gateway's port where there is no file. */
function ownPort({ PORT }: EnvironmentVariables): number {
  return PORT === undefined || PORT === "" ? defaultPort : Number(PORT);
}

/** Whether a URL leads to this gateway, which would then call itself. */
export function isOwnAddress(address: string, environment: EnvironmentVariables): boolean {
  const url = new URL(address);
  const { PUBLIC_URL: publicUrl = "" } = environment;
  if (URL.canParse(publicUrl) && new URL(publicUrl).origin === url.origin) return true;
  return loopbackHosts.has(url.hostname) && portOf(url) === ownPort(environment);
}

/** The loopback addresses of a URL, without its path. None if it leads elsewhere or is not http. */
export function loopbackOrigins(address: string): string[] {
  const url = new URL(address);
  if (url.protocol !== "http:" || !loopbackHosts.has(url.hostname)) return [];
  const four = `http://127.0.0.1:${portOf(url)}`;
  const six = `http://[::1]:${portOf(url)}`;
  if (url.hostname === "localhost") return [four, six];
  return url.hostname.startsWith("[") ? [six] : [four];
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}
