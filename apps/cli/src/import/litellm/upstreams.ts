import { isObject, withoutUndefined } from "@model-gateway/runtime/json";
import { readAddress } from "../addresses.js";
import { FreeNames } from "../free-names.js";
import type { ImportReport } from "../import-report.js";
import { readNumber, readSecret, readText } from "../values.js";
import type { UpstreamDraft } from "../write-gateway-file.js";
import type { UpstreamSource } from "./cloud-upstreams.js";
import type { Deployment } from "./deployment.js";

/** The parameters of every upstream. */
const commonKeys = ["api_base", "base_url", "api_key", "organization", "timeout", "extra_headers", "headers"];

/** The gateway writes these itself, or refuses them in a configuration. */
const reservedHeaders = /^(authorization|api-key|content-.*|host|connection|accept-encoding|x-amz-.*)$/i;

/** The upstreams of the deployments: those with the same address, key and timeout share one. */
export class Upstreams {
  readonly #bySettings = new Map<string, string>();
  readonly #drafts = new Map<string, UpstreamDraft>();
  readonly #names = new FreeNames();
  readonly #report: ImportReport;
  readonly #timeoutSeconds: number | undefined;

  /** @param timeoutSeconds That of deployments without their own. */
  constructor(report: ImportReport, timeoutSeconds: number | undefined) {
    this.#report = report;
    this.#timeoutSeconds = timeoutSeconds;
  }

  get drafts(): Readonly<Record<string, UpstreamDraft>> {
    return Object.fromEntries(this.#drafts);
  }

  /** The upstream name of a deployment. Undefined if its address is unknown. */
  add(deployment: Deployment): string | undefined {
    const { providerName, provider, parameters, name: model } = deployment;
    const keys = [...commonKeys, ...(provider.upstream?.keys ?? [])];
    const { keyVariable } = provider;
    // A missing key comes from the provider's own variable.
    const missingKey = keyVariable === undefined ? null : `os.environ/${keyVariable}`;
    const values = keys.map((key) => parameters.values[key] ?? (key === "api_key" ? missingKey : null));
    // A profile belongs to one model.
    const profile = parameters.values.model_id === undefined ? null : model;
    const settings = JSON.stringify([providerName, profile, ...values]);
    const known = this.#bySettings.get(settings);
    if (known !== undefined) {
      const given = keys.filter((key) => parameters.values[key] !== undefined);
      this.#report.imported(...given.map(parameters.placeOf));
      return known;
    }
    const name = this.#names.find(providerName, "-", (one) => this.#drafts.has(one));
    const draft = this.#draft(deployment, name);
    if (draft === undefined)
      return this.#report.leaveOut(deployment.path, {
        why: "It needs api_base, the address of the server",
        page: "guides/moving-from-litellm.md",
        title: deployment.title,
      });
    this.#bySettings.set(settings, name);
    this.#drafts.set(name, draft);
    return name;
  }

  #draft({ provider, parameters, name: model }: Deployment, name: string): UpstreamDraft | undefined {
    const report = this.#report;
    const { values, placeOf } = parameters;
    const prefix = `UPSTREAM_${name.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
    const baseKey = values.api_base === undefined ? "base_url" : "api_base";
    const written = readAddress(values[baseKey], {
      place: placeOf(baseKey),
      report,
      variable: `${prefix}_BASE_URL`,
      ...(provider.address === undefined ? {} : { written: provider.address }),
    });
    const address =
      written ?? provider.baseUrl ?? (provider.baseVariable && report.variable(provider.baseVariable));
    if (address === undefined && provider.knowsAddress === undefined) return undefined;
    const apiKey = readSecret(values.api_key, {
      place: placeOf("api_key"),
      report,
      variable: `${prefix}_API_KEY`,
    });
    const source: UpstreamSource = { parameters, name: model, prefix, report };
    const draft: UpstreamDraft = {
      provider: written === undefined ? provider.provider : (provider.providerWithBase ?? provider.provider),
      ...withoutUndefined({
        preset: provider.preset,
        baseUrl: address,
        apiKey,
        timeoutMs: this.#timeoutMs(source),
        headers: readHeaders(source),
      }),
    };
    const whole = provider.upstream?.read(source, draft) ?? draft;
    const isOpen = whole.apiKey === undefined && whole.entra === undefined;
    return isOpen && provider.keyVariable !== undefined
      ? { ...whole, apiKey: report.variable(provider.keyVariable) }
      : whole;
  }

  #timeoutMs({ parameters: { values, placeOf }, report }: UpstreamSource): number | undefined {
    const seconds =
      values.timeout === undefined
        ? this.#timeoutSeconds
        : readNumber(values.timeout, { place: placeOf("timeout"), report, ...timeoutBounds });
    return seconds === undefined ? undefined : Math.round(seconds * 1000);
  }
}

/** In seconds. */
export const timeoutBounds = { min: 0.001, max: 3600 };

/** Any header may be a secret, so the text of none is copied. */
function readHeaders({
  parameters: { values, placeOf },
  prefix,
  report,
}: UpstreamSource): Readonly<Record<string, string>> | undefined {
  const organization = readText(values.organization, { place: placeOf("organization"), report });
  const headers: Record<string, string> =
    organization === undefined ? {} : { "OpenAI-Organization": organization };
  for (const key of ["extra_headers", "headers"])
    for (const [name, value] of Object.entries(isObject(values[key]) ? values[key] : {})) {
      const place = `${placeOf(key)}.${name}`;
      if (reservedHeaders.test(name)) {
        report.leaveOut(place, {
          why: "The gateway sets this header itself",
          page: "guides/configuration.md",
        });
        continue;
      }
      const variable = `${prefix}_${name.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
      const secret = readSecret(value, { place, report, variable });
      if (secret !== undefined) headers[name] = secret;
    }
  return Object.keys(headers).length === 0 ? undefined : headers;
}
