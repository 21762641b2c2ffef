import {
  type AwsSource,
  type AwsTools,
  accessKeyOf,
  keyOfEnvironment,
  knownCredentials,
} from "./aws-source.js";
import { type AwsProfiles, readProfiles, type Section } from "./profile-file.js";
import { containerCredentials, instanceCredentials } from "./services.js";
import { readSingleSignOn, singleSignOnCredentials } from "./sso.js";
import { roleCredentials, webIdentityCredentials } from "./sts.js";

/** A chain of profiles that assume each other's roles is short. */
const depthMax = 8;

/**
 * The credentials of a profile in AWS's files. Undefined if there is no such profile.
 * https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html
 */
export async function findProfile(name: string, tools: AwsTools): Promise<AwsSource | undefined> {
  const files = await readProfiles(tools.environment);
  return files.profiles.has(name) ? sourceOf(name, { ...tools, files, above: [] }) : undefined;
}

interface ProfileTools extends AwsTools {
  readonly files: AwsProfiles;
  /** The profiles that lead here. */
  readonly above: readonly string[];
}

function sourceOf(name: string, tools: ProfileTools): AwsSource {
  const { files, above } = tools;
  const section = files.profiles.get(name);
  if (section === undefined) throw new Error(`There is no profile ${name} in AWS's files.`);
  if (above.length >= depthMax)
    throw new Error(`The profiles ${above.join(", ")} lead to each other, or to too many.`);
  const here = { ...tools, region: section.region ?? tools.region };
  const key = keyOf(name, section);
  // A profile may assume a role with its own key.
  const isOwnKey = above.at(-1) === name && key !== undefined;
  if (section.role_arn && !isOwnKey) return roleOf(name, section, here);
  if (key !== undefined) return key;
  const session = section.sso_session === undefined ? undefined : files.sessions.get(section.sso_session);
  const signOn = readSingleSignOn(name, section, session);
  if (signOn !== undefined) return singleSignOnCredentials(signOn, here);
  if (section.credential_process !== undefined)
    throw new Error(
      `The profile ${name} has credential_process, and the gateway runs no commands. Use role_arn, sso_session or an access key.`,
    );
  throw new Error(`The profile ${name} has no credentials that the gateway knows.`);
}

function keyOf(name: string, section: Section): AwsSource | undefined {
  const { aws_access_key_id: id, aws_secret_access_key: secret, aws_session_token: token } = section;
  const key = accessKeyOf(id, secret, token);
  return key && knownCredentials(`the access key of the profile ${name}`, key);
}

function roleOf(name: string, section: Section, tools: ProfileTools): AwsSource {
  const { role_arn: arn = "", external_id: externalId, role_session_name: sessionName } = section;
  const { web_identity_token_file: file, source_profile: profile, credential_source: place } = section;
  if (section.mfa_serial !== undefined)
    throw new Error(`The profile ${name} has mfa_serial, and there is nobody to type a code.`);
  if (file) return webIdentityCredentials({ arn, sessionName }, file, tools);
  const base = profile
    ? sourceOf(profile, { ...tools, above: [...tools.above, name] })
    : placeOf(place, tools);
  if (base === undefined)
    throw new Error(`The profile ${name} needs source_profile, or a credential_source that is there.`);
  return roleCredentials({ arn, externalId, sessionName }, base, tools);
}

function placeOf(place: string | undefined, tools: AwsTools): AwsSource | undefined {
  if (place === "Environment") return keyOfEnvironment(tools.environment);
  if (place === "EcsContainer") return containerCredentials(tools);
  return place === "Ec2InstanceMetadata" ? instanceCredentials(tools) : undefined;
}
