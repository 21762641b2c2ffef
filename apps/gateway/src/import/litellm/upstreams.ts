import { withoutUndefined } from "../../domain/json.js";
import { FreeNames } from "../free-names.js";
import type { ImportReport } from "../import-report.js";
import { literal, type UpstreamDraft } from "../write-gateway-file.js";
import type { Deployment } from "./deployment.js";
import { readNumber, readSecret, readText, type SecretPlace } from "./values.js";

/** The upstreams of the deployments: those with the same address, key and timeout share one. */
export class Upstreams {
  readonly #bySettings = new Map<string, string>();
  readonly #drafts = new Map<string, UpstreamDraft>();
  readonly #names = new FreeNames();
  readonly #report: ImportReport;
  readonly #timeout: unknown;

  /** @param timeout The timeout in seconds of deployments without one. */
  constructor({ report, timeout }: { report: ImportReport; timeout: unknown }) {
    this.#report = report;
    this.#timeout = timeout;
  }

  get drafts(): Readonly<Record<string, UpstreamDraft>> {
    return Object.fromEntries(this.#drafts);
  }

  /** The upstream name of a deployment. Undefined if its address is unknown. */
  add(deployment: Deployment): string | undefined {
    const { providerName, provider, parameters, modelName, place } = deployment;
    const base = parameters.api_base ?? parameters.base_url;
    const { organization, timeout = this.#timeout } = parameters;
    // A missing key comes from the provider's own variable.
    const key = parameters.api_key ?? (provider.keyVariable && `os.environ/${provider.keyVariable}`);
    const settings = JSON.stringify([providerName, base, key, organization, timeout]);
    const known = this.#bySettings.get(settings);
    if (known !== undefined) return known;
    const name = this.#names.find(providerName, "-", (one) => this.#drafts.has(one));
    const draft = this.#draft(deployment, { name, base, timeout });
    if (draft === undefined)
      return this.#report.leaveOut(`${place} "${modelName}"`, "It needs api_base, the address of the server");
    this.#bySettings.set(settings, name);
    this.#drafts.set(name, draft);
    return name;
  }

  #draft(
    { provider, parameters, place }: Deployment,
    { name, base, timeout }: { name: string; base: unknown; timeout: unknown },
  ): UpstreamDraft | undefined {
    const report = this.#report;
    const prefix = `UPSTREAM_${name.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
    const written = readAddress(base, { place: `${place}.api_base`, report, variable: `${prefix}_BASE_URL` });
    const address =
      written ?? provider.baseUrl ?? (provider.baseVariable && report.variable(provider.baseVariable));
    if (address === undefined && provider.knowsAddress === undefined) return undefined;
    const apiKey =
      readSecret(parameters.api_key, { place: `${place}.api_key`, report, variable: `${prefix}_API_KEY` }) ??
      (provider.keyVariable && report.variable(provider.keyVariable));
    const seconds = readNumber(timeout, { place: `${place}.timeout`, report, min: 0.001, max: 3600 });
    const organization = readText(parameters.organization, { place: `${place}.organization`, report });
    return {
      provider: written === undefined ? provider.provider : (provider.providerWithBase ?? provider.provider),
      ...withoutUndefined({
        baseUrl: address?.replace(/\/+$/, ""),
        apiKey,
        timeoutMs: seconds === undefined ? undefined : Math.round(seconds * 1000),
        headers: organization === undefined ? undefined : { "OpenAI-Organization": organization },
      }),
    };
  }
}

/** An address with a password or a query is a secret. */
function readAddress(base: unknown, { place, report, variable }: SecretPlace): string | undefined {
  if (typeof base === "string" && URL.canParse(base)) {
    const { username, password, search, protocol } = new URL(base);
    if (`${username}${password}${search}` !== "") return report.secret(variable, place);
    return protocol === "http:" || protocol === "https:" ? literal(base) : report.leaveOut(place, notHttp);
  }
  const text = readText(base, { place, report });
  if (text === undefined || text.startsWith("${")) return text;
  return report.leaveOut(place, notHttp);
}

const notHttp = "It must be an http or https address";
