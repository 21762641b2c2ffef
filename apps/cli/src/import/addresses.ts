import { readText, type SecretPlace } from "./values.js";
import { literal } from "./write-gateway-file.js";

/**
 * An http address without its last slash. One with a password or a query is a secret.
 *
 * @param written Changes an address to the form that the gateway's provider expects.
 */
export function readAddress(
  value: unknown,
  { place, report, variable, written = (url) => url.href }: AddressPlace,
): string | undefined {
  if (typeof value === "string" && URL.canParse(value)) {
    const url = new URL(value);
    if (url.protocol !== "http:" && url.protocol !== "https:") return report.leaveOut(place, notHttp);
    report.imported(place);
    if (`${url.username}${url.password}${url.search}` !== "") return report.secret(variable, place);
    return literal(written(url)).replace(/\/+$/, "");
  }
  const text = readText(value, { place, report });
  if (text === undefined || text.startsWith("${")) return text;
  return report.leaveOut(place, notHttp);
}

interface AddressPlace extends SecretPlace {
  readonly written?: (url: URL) => string;
}

const notHttp = "It must be an http or https address";

/** The address without the end of its path, for sources that name a whole endpoint. */
export function withoutPath({ origin, pathname }: URL, end: RegExp): string {
  return `${origin}${pathname.replace(/\/+$/, "").replace(end, "")}`;
}

/** The address with this path, if it has none: the version that sources leave out. */
export function addPath({ origin, pathname }: URL, path: string): string {
  return `${origin}${pathname === "/" ? path : pathname.replace(/\/+$/, "")}`;
}
