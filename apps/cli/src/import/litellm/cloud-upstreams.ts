import { isObject, withoutUndefined } from "@model-gateway/runtime/json";
import { readAddress } from "../addresses.js";
import type { ImportReport } from "../import-report.js";
import { readSecret, readText } from "../values.js";
import type { UpstreamDraft } from "../write-gateway-file.js";

/** The `litellm_params` of an entry, with those of its credential. */
export interface EntryParameters {
  readonly values: Readonly<Record<string, unknown>>;
  /** The place of a parameter in the source, which may be a credential. */
  readonly placeOf: (key: string) => string;
}

export interface UpstreamSource {
  readonly parameters: EntryParameters;
  /** The model's name at the provider. */
  readonly name: string;
  /** The start of the names of variables for its secrets. */
  readonly prefix: string;
  readonly report: ImportReport;
}

/** The settings that only upstreams of one provider have. */
export interface ProviderUpstream {
  /** The parameters that it reads. Upstreams with the same values are one. */
  readonly keys: readonly string[];
  readonly read: (source: UpstreamSource, draft: UpstreamDraft) => UpstreamDraft;
}

/** Readers of an entry's parameters. */
function readersOf({ parameters: { values, placeOf }, report, prefix }: UpstreamSource) {
  const placed = (key: string) => ({ place: placeOf(key), report });
  return {
    text: (key: string) => readText(values[key], placed(key)),
    secret: (key: string, name: string) =>
      readSecret(values[key], { ...placed(key), variable: `${prefix}_${name}` }),
    address: (key: string) => readAddress(values[key], { ...placed(key), variable: `${prefix}_BASE_URL` }),
  };
}

const azurePage = "upstreams/azure-openai.md";

export const azureUpstream: ProviderUpstream = {
  keys: ["tenant_id", "client_id", "client_secret", "azure_ad_token", "api_version"],
  read: (source, { apiKey, ...draft }) => {
    const { values, placeOf } = source.parameters;
    const { text, secret } = readersOf(source);
    if (values.api_version !== undefined)
      source.report.leaveOut(placeOf("api_version"), {
        why: "The gateway selects the API version of each operation itself",
        page: azurePage,
      });
    if (values.azure_ad_token !== undefined)
      source.report.leaveOut(placeOf("azure_ad_token"), {
        why: "Such a token expires; set entra at the upstream, and the gateway requests tokens",
        page: azurePage,
      });
    const isEntra = ["tenant_id", "client_id", "client_secret"].every((key) => values[key] !== undefined);
    if (!isEntra || apiKey !== undefined) return apiKey === undefined ? draft : { ...draft, apiKey };
    const clientSecret = secret("client_secret", "CLIENT_SECRET");
    return { ...draft, entra: { tenantId: text("tenant_id"), clientId: text("client_id"), clientSecret } };
  },
};

export const bedrockUpstream: ProviderUpstream = {
  keys: [
    ...["aws_region_name", "region_name", "aws_bedrock_runtime_endpoint", "model_id"],
    ...["aws_access_key_id", "aws_secret_access_key", "aws_session_token", "aws_profile_name"],
    ...["aws_role_name", "aws_session_name", "aws_external_id"],
  ],
  read: (source, draft) => {
    const { values } = source.parameters;
    const { text, secret, address } = readersOf(source);
    const region =
      text("aws_region_name") ?? text("region_name") ?? source.report.variable("AWS_REGION_NAME");
    const isSigned =
      draft.apiKey === undefined &&
      values.aws_access_key_id !== undefined &&
      values.aws_secret_access_key !== undefined;
    const profile = text("model_id");
    const isBare = draft.apiKey === undefined && !isSigned;
    return withoutUndefined({
      ...draft,
      region,
      baseUrl: address("aws_bedrock_runtime_endpoint") ?? draft.baseUrl,
      accessKeyId: isSigned ? secret("aws_access_key_id", "ACCESS_KEY_ID") : undefined,
      secretAccessKey: isSigned ? secret("aws_secret_access_key", "SECRET_ACCESS_KEY") : undefined,
      sessionToken: isSigned ? secret("aws_session_token", "SESSION_TOKEN") : undefined,
      profile: isBare ? text("aws_profile_name") : undefined,
      role: draft.apiKey === undefined ? readRole(source) : undefined,
      inferenceProfiles: profile === undefined ? undefined : { [source.name]: profile },
    }) as UpstreamDraft;
  },
};

/** LiteLLM names a session only where it assumes a role. */
function readRole(source: UpstreamSource): Readonly<Record<string, unknown>> | undefined {
  const { text } = readersOf(source);
  const arn = text("aws_role_name");
  if (arn === undefined) return undefined;
  return withoutUndefined({
    arn,
    externalId: text("aws_external_id"),
    sessionName: text("aws_session_name"),
  });
}

/**
 * The name and the parameters of a Bedrock model. Its name may start with a route and a region, or be the ARN of a
 * profile that does not say which model it is.
 */
export function prepareBedrock(
  model: string,
  { identity, values }: { readonly identity: string; readonly values: EntryParameters["values"] },
): { readonly name: string; readonly values: EntryParameters["values"] } {
  const [, region, name = ""] =
    /^(?:(?:invoke|converse)\/)?(?:([a-z]{2}(?:-[a-z]+){1,3}-\d)\/)?(.*)$/s.exec(model) ?? [];
  const withRegion = region === undefined ? values : { aws_region_name: region, ...values };
  const isUnnamed = name.startsWith("arn:") && !/[./](amazon|cohere|stability)\.[^/]*$/.test(name);
  if (!isUnnamed || identity === model) return { name, values: withRegion };
  return { name: identity, values: { model_id: name, ...withRegion } };
}

export const vertexUpstream: ProviderUpstream = {
  keys: [
    "vertex_project",
    "vertex_ai_project",
    "vertex_location",
    "vertex_ai_location",
    "vertex_credentials",
  ],
  read: (source, { apiKey: _unused, ...draft }) => {
    const { report } = source;
    const { text } = readersOf(source);
    return withoutUndefined({
      ...draft,
      project: text("vertex_project") ?? text("vertex_ai_project") ?? report.variable("VERTEXAI_PROJECT"),
      location:
        text("vertex_location") ??
        text("vertex_ai_location") ??
        report.variable("VERTEXAI_LOCATION", "LiteLLM's default is us-central1"),
      credentialsFile: readGoogleCredentials(source),
    }) as UpstreamDraft;
  },
};

/** LiteLLM takes a path, or the key file's content. The gateway takes a path. */
function readGoogleCredentials({
  parameters: { values, placeOf },
  prefix,
  report,
}: UpstreamSource): string | undefined {
  const { vertex_credentials: credentials } = values;
  if (credentials === undefined || credentials === null) return undefined;
  const place = placeOf("vertex_credentials");
  const isContent = isObject(credentials) || String(credentials).trimStart().startsWith("{");
  if (!isContent) {
    const path = readText(credentials, { place, report });
    if (path?.startsWith("${")) report.variable(path.slice(2, -1), "must be the path of the key file");
    return path;
  }
  report.imported(place);
  const remark = "has a service account's key; save it as a file, and set the variable to its path";
  return report.secret(`${prefix}_CREDENTIALS_FILE`, place, remark);
}
