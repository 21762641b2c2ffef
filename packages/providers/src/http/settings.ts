import { isObject } from "@model-gateway/runtime/json";
import { z } from "zod";
import type { ConnectionSettings } from "./connection/connect.js";

const headersMax = 64;
const headerBytesMax = 8192;

/** The gateway sets these itself, or they belong to a single connection, or they change the form of the reply. */
const reservedHeaders = new Set([
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "traceparent",
  "tracestate",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Network settings of an upstream. Values are never quoted in a fault, because they may be secrets. */
export const networkSettings = {
  headers: z
    .record(z.string(), z.string())
    .superRefine(checkHeaders)
    .optional()
    .describe("Headers for every request to the upstream. Take secrets from the environment: ${NAME}."),
  proxy: z
    .url({
      protocol: /^https?$/,
      error: "must be an http or https URL, such as http://proxy.internal:3128",
      abort: true,
    })
    .refine(hasOnlyAuthority, "must end after the port")
    .refine(hasReadableCredentials, "has a % in its user or password; write it as %25")
    .optional()
    .describe(
      "A proxy for all connections to the upstream, such as http://user:password@proxy.internal:3128. It must allow CONNECT to the upstream's port.",
    ),
  tls: z
    .strictObject({
      ca: z
        .string()
        .min(1)
        .optional()
        .describe(
          "The certificate authorities that are trusted for the upstream and for an https proxy, instead of the public ones: the path of a PEM file, or PEM text.",
        ),
      cert: z
        .string()
        .min(1)
        .optional()
        .describe(
          "The gateway's client certificate, followed by its chain: the path of a PEM file, or PEM text.",
        ),
      key: z
        .string()
        .min(1)
        .optional()
        .describe("The private key of cert: the path of a PEM file, or PEM text from ${NAME}."),
    })
    .optional()
    .describe("Certificates for TLS connections to the upstream."),
};

interface NetworkSettings extends ConnectionSettings {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * When a rule across several settings is checked: whenever those that it reads are right. By default zod skips it after
 * any fault of the object, and an operator would see its fault only when all others are mended.
 */
export function unlessFaulty(...keys: readonly string[]): z.core.$ZodSuperRefineParams {
  return {
    when: ({ value, issues }) =>
      isObject(value) && !issues.some(({ path }) => keys.includes(String(path?.[0]))),
  };
}

/** When `checkNetworkSettings` can be checked. */
export const unlessNetworkFaulty = unlessFaulty("baseUrl", "apiKey", "headers", "proxy", "tls");

/** Rules across several settings of one upstream. */
export function checkNetworkSettings(
  { baseUrl, apiKey, headers = {}, proxy = "", tls }: NetworkSettings,
  context: z.core.$RefinementCtx,
): void {
  const refuse = (path: readonly PropertyKey[], message: string) =>
    context.addIssue({ code: "custom", path: [...path], message });
  if (apiKey !== undefined)
    refuseHeader(
      { name: "authorization", headers, message: "is sent for apiKey already; remove one of the two" },
      context,
    );
  if (tls === undefined) return;
  if ((tls.cert === undefined) !== (tls.key === undefined))
    refuse(["tls"], "needs both cert and key, or neither");
  const isSecure = baseUrl.startsWith("https:");
  if (tls.cert !== undefined && !isSecure) refuse(["tls", "cert"], "needs an https baseUrl");
  if (tls.ca !== undefined && !isSecure && !proxy.startsWith("https:"))
    refuse(["tls", "ca"], "needs an https baseUrl or an https proxy");
}

interface SentHeader {
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly message?: string;
}

/** Refuses a configured header that the gateway sends itself. */
export function refuseHeader(
  { name, headers = {}, message = "is sent by the gateway already; remove it" }: SentHeader,
  context: z.core.$RefinementCtx,
): void {
  const given = Object.keys(headers).find((one) => one.toLowerCase() === name);
  if (given !== undefined) context.addIssue({ code: "custom", path: ["headers", given], message });
}

function checkHeaders(headers: Readonly<Record<string, string>>, context: z.core.$RefinementCtx): void {
  const names = Object.keys(headers);
  const refuse = (path: readonly PropertyKey[], message: string) =>
    context.addIssue({ code: "custom", path: [...path], message });
  if (names.length > headersMax) refuse([], `must have at most ${headersMax} entries`);
  const seen = new Set<string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    const value = headers[name] ?? "";
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) refuse([name], "is not a valid name of a header");
    else if (reservedHeaders.has(lower)) refuse([name], "is set by the gateway and cannot be configured");
    else if (seen.has(lower)) refuse([name], "is there twice; names of headers ignore case");
    if (!/^[\t\x20-\x7e]*$/.test(value))
      refuse([name], "must be printable ASCII in one line; a secret from a file may have a line break in it");
    else if (value.length > headerBytesMax) refuse([name], `must have at most ${headerBytesMax} characters`);
    seen.add(lower);
  }
}

function hasOnlyAuthority(address: string): boolean {
  const { pathname, search, hash } = new URL(address);
  return pathname === "/" && search === "" && hash === "";
}

function hasReadableCredentials(address: string): boolean {
  const { username, password } = new URL(address);
  try {
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
}
