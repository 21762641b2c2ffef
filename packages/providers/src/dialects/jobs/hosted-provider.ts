import type { FieldMap } from "@model-gateway/domain/field-map";
import type { ModelTarget } from "../../call.js";
import type { EnvironmentDetection } from "../../detection.js";
import type { FixedHeaders } from "../../http/credentials/authentication.js";
import type { ReadError } from "../../http/errors/upstream-errors.js";
import { defineRemoteProvider } from "../../http/remote-provider.js";
import { baseUrlSetting, linkSettings, requiredApiKey } from "../../http/remote-settings.js";
import type { Send } from "../../http/send.js";
import type { Provider, ProviderOperations } from "../../provider.js";
import { fieldMapOf, fieldMapsSetting, traitsOfFields } from "./field-map.js";
import { createResultLinks, type ReadResultLink } from "./result-links.js";

/** A service that hosts models of others: a key, a map of fields for each model, and a job for each call. */
interface HostedService {
  readonly name: string;
  readonly title: string;
  /** Its own address, and the setting's meaning. Links to a job's state lead to its host. */
  readonly baseUrl: string;
  readonly baseUrlMeaning: string;
  /** Hosts of the images. */
  readonly resultHosts: readonly string[];
  readonly environment: EnvironmentDetection;
  readonly authentication: (apiKey: string) => FixedHeaders;
  readonly readError: ReadError;
  readonly createOperations: (options: HostedOptions) => ProviderOperations;
  readonly isModelName: (model: string) => boolean;
  /** The end of a sentence for the log, about the names that there are. */
  readonly nameForms: string;
}

/** The parts that the operations of such a service use. */
export interface HostedOptions {
  readonly send: Send;
  readonly readLink: ReadResultLink;
  readonly fieldsOf: (target: ModelTarget) => FieldMap;
}

/** Creates the provider of such a service. */
export function defineHostedProvider(service: HostedService): Provider {
  const { name, title, readError } = service;
  return defineRemoteProvider({
    name,
    title,
    settings: {
      baseUrl: baseUrlSetting(service.baseUrlMeaning, service.baseUrl),
      apiKey: requiredApiKey,
      models: fieldMapsSetting,
      ...linkSettings,
    },
    images: (model) => traitsOfFields(`${name} ${model.name}`, fieldMapOf(model)),
    unserved: ({ name: model }) =>
      service.isModelName(model) ? undefined : `"${model}" is not a model's name: use ${service.nameForms}.`,
    environment: service.environment,
    authenticate: ({ apiKey }) => service.authentication(apiKey),
    readError,
    otherHosts: [{ host: new URL(service.baseUrl).host, takesCredentials: true }],
    open: (send, { settings }) => ({
      operations: service.createOperations({
        send,
        readLink: createResultLinks({ baseUrl: settings.baseUrl, hosts: service.resultHosts }),
        fieldsOf: ({ model, facts }) => fieldMapOf({ name: model, facts, settings }),
      }),
    }),
  });
}
