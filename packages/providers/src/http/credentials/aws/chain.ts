import type { AwsCredentials } from "@model-gateway/domain/aws-signature";
import type { ProviderTools } from "../../../provider.js";
import { ExpiringCredential } from "../credential.js";
import {
  type AwsSource,
  type AwsTools,
  accessKeyOf,
  keyOfEnvironment,
  knownCredentials,
} from "./aws-source.js";
import { hasAwsFiles } from "./profile-file.js";
import { findProfile } from "./profiles.js";
import { containerCredentials, instanceCredentials } from "./services.js";
import { type AwsRole, roleCredentials, webIdentityCredentials } from "./sts.js";

/** Where an operator says that credentials are. */
export interface AwsSettings extends Partial<Record<keyof AwsCredentials, string | undefined>> {
  readonly region?: string | undefined;
  /** The name of a profile in AWS's files. */
  readonly profile?: string | undefined;
  /** Assumed with the credentials that are found. */
  readonly role?: AwsRole | undefined;
}

export type AwsCredentialTools = Pick<ProviderTools, "environment" | "timeOfDay" | "clock" | "secrets">;

/**
 * The settings come first. Without any, the places where AWS's own clients look: the environment, a web identity, the
 * files in the home folder, the container, the instance. Undefined if there is none of these.
 * https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
 */
export function findAwsSource(
  settings: AwsSettings,
  { environment, timeOfDay }: Pick<AwsTools, "environment" | "timeOfDay">,
): AwsSource | undefined {
  const tools: AwsTools = { environment, timeOfDay, region: settings.region };
  const base = baseOf(settings, tools);
  const { role } = settings;
  return base === undefined || role === undefined ? base : roleCredentials(role, base, tools);
}

function baseOf(settings: AwsSettings, tools: AwsTools): AwsSource | undefined {
  const { accessKeyId, secretAccessKey, sessionToken, profile } = settings;
  const given = accessKeyOf(accessKeyId, secretAccessKey, sessionToken);
  if (given !== undefined) return knownCredentials("the access key of the settings", given);
  if (profile !== undefined) return profileSource(profile, undefined, tools);
  const found = keyOfEnvironment(tools.environment) ?? webIdentityOfEnvironment(tools);
  if (found !== undefined) return found;
  const platform = containerCredentials(tools) ?? instanceCredentials(tools);
  const named = tools.environment.AWS_PROFILE;
  if (named) return profileSource(named, undefined, tools);
  return hasAwsFiles(tools.environment) ? profileSource("default", platform, tools) : platform;
}

/** The files are read for each credential. Without the profile, the next place is asked. */
function profileSource(name: string, next: AwsSource | undefined, tools: AwsTools): AwsSource {
  return {
    source: `the profile ${name}`,
    issue: async (signal) => {
      const found = (await findProfile(name, tools)) ?? next;
      if (found === undefined) throw new Error(`There is no profile ${name} in AWS's files.`);
      const issued = await found.issue(signal);
      return { ...issued, source: issued.source ?? found.source };
    },
  };
}

function webIdentityOfEnvironment(tools: AwsTools): AwsSource | undefined {
  const { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: arn } = tools.environment;
  if (!file || !arn) return undefined;
  const sessionName = tools.environment.AWS_ROLE_SESSION_NAME || undefined;
  return webIdentityCredentials({ arn, sessionName }, file, tools);
}

/** A credential of these settings. Undefined where nothing can issue one. */
export function findAwsCredential(
  settings: AwsSettings,
  tools: AwsCredentialTools,
): ExpiringCredential<AwsCredentials> | undefined {
  const found = findAwsSource(settings, tools);
  if (found === undefined) return undefined;
  const { clock, timeOfDay, secrets } = tools;
  const issue: AwsSource["issue"] = async (signal) => {
    const issued = await found.issue(signal);
    // They may be from the environment or a file, which the configuration does not mention.
    for (const secret of Object.values(issued.value)) if (secret !== undefined) secrets.learn(secret);
    return issued;
  };
  return new ExpiringCredential({ source: found.source, issue, clock, timeOfDay });
}
