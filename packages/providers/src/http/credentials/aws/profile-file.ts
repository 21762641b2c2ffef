import { existsSync } from "node:fs";
import { join } from "node:path";
import { readSmallFile } from "../read-token-file.js";
import type { AwsEnvironment } from "./aws-source.js";

/** The keys of a section, by their names in lower case. */
export type Section = Readonly<Record<string, string | undefined>>;

/** AWS's files in the home folder: the profiles, and the sign-ins that they share. */
export interface AwsProfiles {
  readonly profiles: ReadonlyMap<string, Section>;
  readonly sessions: ReadonlyMap<string, Section>;
}

interface AwsFiles {
  readonly config: string | undefined;
  readonly credentials: string | undefined;
}

/** The files that there are. */
function awsFiles(environment: AwsEnvironment): AwsFiles {
  const folder = awsFolder(environment);
  const existing = (path: string | undefined) => (path && existsSync(path) ? path : undefined);
  const inFolder = (name: string) => (folder === undefined ? undefined : join(folder, name));
  return {
    config: existing(environment.AWS_CONFIG_FILE || inFolder("config")),
    credentials: existing(environment.AWS_SHARED_CREDENTIALS_FILE || inFolder("credentials")),
  };
}

/** Undefined where there is no home folder. */
export function awsFolder({ HOME, USERPROFILE }: AwsEnvironment): string | undefined {
  const home = HOME || USERPROFILE;
  return home === undefined || home === "" ? undefined : join(home, ".aws");
}

export function hasAwsFiles(environment: AwsEnvironment): boolean {
  return Object.values(awsFiles(environment)).some((path) => path !== undefined);
}

/** Read again for each credential, so that keys that were replaced need no restart. */
export async function readProfiles(environment: AwsEnvironment): Promise<AwsProfiles> {
  const files = awsFiles(environment);
  const read = async (path: string | undefined) =>
    path === undefined ? new Map<string, Section>() : parseSections(await readSmallFile(path));
  const [config, credentials] = await Promise.all([read(files.config), read(files.credentials)]);
  const profiles = new Map<string, Section>();
  const sessions = new Map<string, Section>();
  for (const [title, section] of config) {
    const [, kind, name = ""] = /^(profile|sso-session)\s+(\S.*)$/.exec(title) ?? [];
    if (kind === "sso-session") sessions.set(name, section);
    else if (kind === "profile" || title === "default")
      profiles.set(kind === "profile" ? name : title, section);
  }
  for (const [name, section] of credentials) profiles.set(name, { ...profiles.get(name), ...section });
  return { profiles, sessions };
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html */
function parseSections(text: string): Map<string, Section> {
  const sections = new Map<string, Record<string, string>>();
  let section: Record<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    const title = /^\[\s*([^\]]*?)\s*\]/.exec(line)?.[1];
    if (title !== undefined) {
      section = sections.get(title) ?? Object.create(null);
      sections.set(title, section ?? {});
      continue;
    }
    // An indented line belongs to the settings of a single service.
    const [, key, value = ""] = /^([^\s#;=][^=]*?)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key !== undefined && section !== undefined)
      section[key.toLowerCase()] = value.replace(/\s[#;].*$/, "").trim();
  }
  return sections;
}
