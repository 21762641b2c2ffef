import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type FakeAws, startFakeAws } from "../../../test/fake-aws.js";
import { providerTools } from "../../../test/tools.js";
import { type AwsSettings, findAwsSource } from "./chain.js";

const tools = providerTools();
const role = (name: string, account = "123456789012") => `arn:aws:iam::${account}:role/${name}`;
const issuedKey = (number: number) => ({
  accessKeyId: `ASIA${number}`,
  secretAccessKey: `issued-secret-${number}`,
  sessionToken: `issued-session-${number}`,
});

let aws: FakeAws;
let home: string;

beforeAll(async () => {
  aws = await startFakeAws({
    now: tools.timeOfDay,
    roles: {
      [role("gateway")]: { tokens: ["identity-token"] },
      [role("shared", "210987654321")]: { trusts: ["AKIA1", "ASIA1"], externalId: "external-1" },
      [role("plain")]: { trusts: ["AKIA1", "AKIA2"] },
    },
    signIns: { "sign-in-token": { account: "123456789012", role: "Developer" } },
    instanceRole: "the-role",
    containerToken: "container-token",
  });
  aws.keys.set("AKIA1", { secret: "secret-1" }).set("AKIA2", { secret: "secret-2" });
});
afterAll(() => aws.close());
afterEach(() => {
  aws.ends.clear();
  aws.requests.length = 0;
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
});

function inHome(files: Readonly<Record<string, string>>): { readonly HOME: string } {
  home = mkdtempSync(join(tmpdir(), "aws-home-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return { HOME: home };
}

/** The credentials, and where they are from. */
async function issue(environment: Readonly<Record<string, string>>, settings: AwsSettings = {}) {
  const endpoints = {
    AWS_ENDPOINT_URL_STS: aws.origin,
    AWS_ENDPOINT_URL_SSO: aws.origin,
    AWS_EC2_METADATA_SERVICE_ENDPOINT: `${aws.origin}/`,
  };
  const found = findAwsSource(
    { region: "eu-central-1", ...settings },
    { ...tools, environment: { ...endpoints, ...environment } },
  );
  const issued = await found?.issue(new AbortController().signal);
  return issued && { ...issued.value, lifetimeMs: issued.lifetimeMs, from: issued.source ?? found?.source };
}

const environmentKey = { AWS_ACCESS_KEY_ID: "AKIA1", AWS_SECRET_ACCESS_KEY: "secret-1" };
const key1 = { accessKeyId: "AKIA1", secretAccessKey: "secret-1", lifetimeMs: Number.POSITIVE_INFINITY };
const hour = { lifetimeMs: 3_600_000 };

test("an access key of the settings is used before all others", async () => {
  const settings = { accessKeyId: "AKIA9", secretAccessKey: "s", sessionToken: "t" };

  expect(await issue(environmentKey, settings)).toEqual({
    ...settings,
    lifetimeMs: Number.POSITIVE_INFINITY,
    from: "the access key of the settings",
  });
});

test("an access key of the environment is used before a web identity, and half of one is none", async () => {
  const others = { AWS_WEB_IDENTITY_TOKEN_FILE: "/nowhere", AWS_ROLE_ARN: role("gateway") };

  expect(await issue({ ...environmentKey, AWS_SESSION_TOKEN: "", ...others })).toEqual({
    ...key1,
    from: "the access key in the environment",
  });
  await expect(issue({ AWS_ACCESS_KEY_ID: "AKIA1", ...others })).rejects.toThrow(
    "The file /nowhere cannot be read (ENOENT).",
  );
});

test("a web identity is exchanged for the credentials of a role, and its file is read each time", async () => {
  const environment = { ...inHome({ token: "identity-token\n" }), AWS_ROLE_ARN: role("gateway") };
  const file = { ...environment, AWS_WEB_IDENTITY_TOKEN_FILE: join(home, "token") };

  const from = `the web identity of ${role("gateway")}`;
  expect(await issue(file)).toEqual({ ...issuedKey(1), ...hour, from });
  writeFileSync(join(home, "token"), "another-token");
  await expect(issue(file)).rejects.toThrow(/^The issuer replied with status 401/);
});

test("a role is assumed with the credentials that are found, and its external id is sent", async () => {
  const shared = { arn: role("shared", "210987654321"), externalId: "external-1" };

  expect(await issue(environmentKey, { role: shared })).toEqual({
    ...issuedKey(1),
    ...hour,
    from: `the role ${shared.arn}, assumed with the access key in the environment`,
  });
  // With the session token of credentials that were issued.
  const temporary = {
    AWS_ACCESS_KEY_ID: "ASIA1",
    AWS_SECRET_ACCESS_KEY: "issued-secret-1",
    AWS_SESSION_TOKEN: "issued-session-1",
  };
  expect(await issue(temporary, { role: shared })).toMatchObject(issuedKey(2));
  await expect(issue(environmentKey, { role: { ...shared, externalId: "wrong" } })).rejects.toThrow("401");
});

test("a container's credentials are requested with the token in its file, which may change", async () => {
  inHome({ token: "container-token\n" });
  const environment = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${aws.origin}/container`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: join(home, "token"),
  };

  expect(await issue(environment)).toEqual({ ...issuedKey(1), ...hour, from: "the role of this container" });
  writeFileSync(join(home, "token"), "another");
  await expect(issue(environment)).rejects.toThrow("401");
});

test("a container's token goes to no other host over http", async () => {
  const environment = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://credentials.example/",
    AWS_CONTAINER_AUTHORIZATION_TOKEN: "token",
  };

  await expect(issue(environment)).rejects.toThrow("neither https nor an address of the platform");
});

test("an instance's credentials come from its role, by a session with the metadata service", async () => {
  expect(await issue({})).toEqual({ ...issuedKey(1), ...hour, from: "the role the-role of this instance" });
  expect(await issue({ AWS_EC2_METADATA_DISABLED: "True" })).toBeUndefined();
});

const config = `
# comments and settings of services are no keys
[default]
region = eu-central-1
[profile shared]
role_arn = ${role("shared", "210987654321")}
source_profile = keys
external_id = external-1
s3 =
  role_arn = nested
[profile own]
role_arn = ${role("plain")}
source_profile = own
[profile of-environment]
role_arn = ${role("plain")}
credential_source = Environment
[profile person]
sso_session = work
sso_account_id = 123456789012
sso_role_name = Developer
[profile old-person]
sso_start_url = https://old.example/start
sso_region = us-east-1
sso_account_id = 123456789012
sso_role_name = Developer
[sso-session work]
sso_region = us-east-1
sso_start_url = https://work.example/start
[profile command]
credential_process = /opt/bin/secret-command --key hunter2
[profile code]
role_arn = ${role("plain")}
source_profile = keys
mfa_serial = arn:aws:iam::123456789012:mfa/me
[profile one]
role_arn = ${role("plain")}
source_profile = two
[profile two]
role_arn = ${role("plain")}
source_profile = one
[profile lost]
role_arn = ${role("plain")}
source_profile = absent
[profile empty]
`;
const credentials = `
[default]
aws_access_key_id = AKIA2
aws_secret_access_key = secret-2
[keys]
AWS_ACCESS_KEY_ID=AKIA1
aws_secret_access_key = secret-1 # with a remark
[own]
aws_access_key_id = AKIA1
aws_secret_access_key = secret-1
`;
const files = { ".aws/config": config, ".aws/credentials": credentials };
const cacheOf = (name: string) => `.aws/sso/cache/${createHash("sha1").update(name).digest("hex")}.json`;

test("the profiles of AWS's files: a key, and roles that it assumes", async () => {
  const environment = inHome(files);

  expect(await issue(environment)).toEqual({
    accessKeyId: "AKIA2",
    secretAccessKey: "secret-2",
    lifetimeMs: Number.POSITIVE_INFINITY,
    from: "the access key of the profile default",
  });
  expect(await issue({ ...environment, AWS_PROFILE: "keys" })).toEqual({
    ...key1,
    from: "the access key of the profile keys",
  });
  expect(await issue(environment, { profile: "shared" })).toEqual({
    ...issuedKey(1),
    ...hour,
    from: `the role ${role("shared", "210987654321")}, assumed with the access key of the profile keys`,
  });
  expect(await issue(environment, { profile: "own" })).toMatchObject(issuedKey(2));
  expect(await issue({ ...environment, ...environmentKey }, { profile: "of-environment" })).toMatchObject(
    issuedKey(3),
  );
});

test("the token of a sign-in is exchanged for a role's credentials until it expires", async () => {
  const token = (expiresAt: string) => JSON.stringify({ accessToken: "sign-in-token", expiresAt });
  const environment = inHome({
    ...files,
    [cacheOf("work")]: token("2026-11-16T13:00:00Z"),
    [cacheOf("https://old.example/start")]: token("2026-11-16T11:00:00Z"),
  });

  expect(await issue(environment, { profile: "person" })).toEqual({
    ...issuedKey(1),
    ...hour,
    from: "the sign-in of the profile person, as Developer of 123456789012",
  });
  await expect(issue(environment, { profile: "old-person" })).rejects.toThrow(
    'The sign-in of the profile old-person has expired; run "aws sso login --profile old-person".',
  );
});

test.each([
  ["command", "The profile command has credential_process, and the gateway runs no commands."],
  ["code", "The profile code has mfa_serial"],
  ["one", "The profiles one, two, one, two, one, two, one, two lead to each other, or to too many."],
  ["lost", "There is no profile absent in AWS's files."],
  ["empty", "The profile empty has no credentials that the gateway knows."],
  ["absent", "There is no profile absent in AWS's files."],
  ["person", 'Nobody has signed in for the profile person; run "aws sso login --profile person".'],
  ["of-environment", "needs source_profile, or a credential_source that is there"],
])("the profile %s is refused by name", async (profile, message) => {
  const failure = await issue(inHome(files), { profile }).catch((error: unknown) => String(error));

  expect(failure).toContain(message);
  expect(failure).not.toContain("hunter2");
});

test("without a default profile, the instance is asked", async () => {
  expect(await issue(inHome({ ".aws/config": "[profile other]\n" }))).toMatchObject(issuedKey(1));
});

test("a file that is too large is not read", async () => {
  const environment = inHome({ ".aws/credentials": "#".repeat(70_000) });

  await expect(issue(environment)).rejects.toThrow("credentials is too large.");
});
