import { z } from "zod";
import {
  defineProvider,
  type ModelAt,
  type OpenProvider,
  type Provider,
  type ProviderDefaults,
  type ProviderFacts,
  type ProviderTools,
  type Unavailability,
  type UpstreamDescription,
  unservedVariant,
} from "../provider.js";
import type { OtherHost } from "./connection/origins.js";
import { type Authentication, bearer, isAuthenticator } from "./credentials/authentication.js";
import type { ReadError } from "./errors/upstream-errors.js";
import { remoteSettings } from "./remote-settings.js";
import { type Send, UpstreamClient } from "./send.js";
import { checkNetworkSettings, unlessFaulty, unlessNetworkFaulty } from "./settings.js";

/** The settings of a remote upstream: the provider's, and those that hold for all. */
export type RemoteSettings<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>> &
  z.output<z.ZodObject<typeof remoteSettings>>;

/** A provider whose upstreams are reached over HTTP: the parts that differ. */
export interface RemoteProvider<Shape extends z.ZodRawShape>
  extends Omit<ProviderFacts, "settings" | "defaults"> {
  /** Besides `provider` and the settings that hold for all. */
  readonly settings: Shape;
  /** A rule across several settings. It is checked whenever the keys that it reads are right. */
  readonly rule?: {
    readonly keys: readonly string[];
    check(settings: RemoteSettings<Shape>, context: z.core.$RefinementCtx): void;
  };
  readonly defaults?: ProviderDefaults;
  /** Default: the setting `baseUrl`. */
  baseUrlOf?(settings: RemoteSettings<Shape>): string;
  /** Default: the setting `apiKey` as a bearer token. */
  authenticate?(settings: RemoteSettings<Shape>, tools: ProviderTools): Authentication;
  readonly readError: ReadError;
  /** Hosts besides the base URL's that links in its replies may lead to. Default: none. */
  readonly otherHosts?: readonly OtherHost[];
  /** The parts of the description that its settings do not show by themselves. */
  describe?(settings: RemoteSettings<Shape>, directory: string): Partial<UpstreamDescription>;
  /** Default of `unavailable`: it can serve every model that its dialect knows. */
  open(
    send: Send,
    upstream: { readonly settings: RemoteSettings<Shape>; readonly tools: ProviderTools },
  ): Omit<OpenProvider, "close" | "unavailable"> & Partial<Pick<OpenProvider, "unavailable">>;
}

/** The settings that most remote providers have. */
interface UsualSettings {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly federation?: unknown;
  readonly allowPrivateUrls?: boolean;
}

/** The gateway knows nothing of the models that the upstream has: it only knows which it can call. */
function unavailable(
  model: ModelAt,
  facts: Pick<ProviderFacts, "title" | "variants" | "needs" | "unserved">,
): Unavailability | undefined {
  const detail = facts.unserved?.(model) ?? unservedVariant(facts, model);
  return detail === undefined ? undefined : { reason: "The gateway does not know this model.", detail };
}

/** Creates a provider from these parts. */
export function defineRemoteProvider<Shape extends z.ZodRawShape>(remote: RemoteProvider<Shape>): Provider {
  const { settings: _, rule: __, baseUrlOf, authenticate, readError, otherHosts, ...own } = remote;
  const { describe, open, defaults = {}, ...facts } = own;
  type Settings = RemoteSettings<Shape> & UsualSettings;
  // The schema has checked them. TypeScript does not follow a shape that is generic.
  const typed = (given: unknown): Settings => given as Settings;
  const addressOf = (settings: Settings): string => baseUrlOf?.(settings) ?? settings.baseUrl;
  return defineProvider({
    ...facts,
    defaults,
    settings: createSchema(remote, (given) => addressOf(typed(given))),
    describe: (given, directory) => {
      const settings = typed(given);
      const { apiKey, federation, timeoutMs, allowPrivateUrls = false } = settings;
      return {
        baseUrl: addressOf(settings),
        hasKey: apiKey !== undefined || federation !== undefined,
        allowPrivateUrls,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        settings: given,
        ...describe?.(settings, directory),
      };
    },
    open: async (given, tools) => {
      const settings = typed(given);
      const authentication = authenticate?.(settings, tools) ?? bearer(settings.apiKey);
      const connection = { ...settings, baseUrl: addressOf(settings), authentication, readError, otherHosts };
      const client = new UpstreamClient(connection, tools);
      return {
        unavailable: ({ model: name, facts: known }, type) =>
          unavailable({ name, type, facts: known, settings }, facts),
        ...open((request, call) => client.send(request, call), { settings, tools }),
        ...stateOf(authentication),
        close: () => client.close(),
      };
    },
  });
}

function createSchema<Shape extends z.ZodRawShape>(
  { name, settings, rule }: RemoteProvider<Shape>,
  addressOf: (given: unknown) => string,
): z.ZodObject {
  const schema: z.ZodObject = z
    .strictObject({ provider: z.literal(name), ...settings, ...remoteSettings })
    .superRefine((given, context) => {
      const settings = given as RemoteSettings<Shape> & UsualSettings;
      checkNetworkSettings({ ...settings, baseUrl: addressOf(given) }, context);
    }, unlessNetworkFaulty);
  if (rule === undefined) return schema;
  return schema.superRefine(
    (given, context) => rule.check(given as RemoteSettings<Shape>, context),
    unlessFaulty(...rule.keys),
  );
}

function stateOf(authentication: Authentication): Pick<OpenProvider, "credential"> {
  if (!isAuthenticator(authentication)) return {};
  const state = authentication.state?.bind(authentication);
  return state === undefined ? {} : { credential: state };
}
