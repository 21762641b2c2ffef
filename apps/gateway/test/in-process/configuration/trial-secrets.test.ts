import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Provider } from "@model-gateway/providers/provider";
import { providers } from "@model-gateway/providers/registry";
import { createAuthority } from "@model-gateway/test-suite/certificates";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { InProcessFolder, type InProcessGateway } from "../../gateway/in-process.js";
import { testAdminKey, testConfig, testEnvironment } from "../../gateway/test-gateway.js";

/* A trial is asked for by whoever has an operator's session. No secret of the gateway may reach a server of his. */

const secret = "stored-secret-0123456789";
const machineSecret = "machine-secret-0123456789";
const placeholder = "(set)";

/** Records what it is sent, and replies as a list of models, a token or a redirect. */
interface Recorder {
  readonly url: string;
  readonly connections: () => number;
  readonly received: IncomingHttpHeaders[];
  close(): Promise<unknown>;
}

async function startRecorder(
  reply: () => { status: number; body: string; location?: string },
): Promise<Recorder> {
  const received: IncomingHttpHeaders[] = [];
  let connections = 0;
  const server: Server = createServer((request, response) => {
    received.push(request.headers);
    const { status, body, location } = reply();
    response.writeHead(status, { "content-type": "application/json", ...(location && { location }) });
    response.end(body);
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    received,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

let own: Recorder;
let thief: Recorder;
let machine: Recorder;
let home: InProcessFolder;
let gateway: InProcessGateway;
let session: string;
let pem: string;
let redirects = false;

beforeAll(async () => {
  const authority = await createAuthority();
  pem = authority.ca;
  thief = await startRecorder(() => ({ status: 200, body: '{"data":[]}' }));
  own = await startRecorder(() =>
    redirects
      ? { status: 307, body: "{}", location: `${thief.url}/v1/models` }
      : { status: 200, body: '{"data":[]}' },
  );
  machine = await startRecorder(() => ({
    status: 200,
    body: JSON.stringify({ access_token: machineSecret, expires_in: 3600, expires_on: 4_000_000_000 }),
  }));
  const upstreams = Object.fromEntries(providers.map((provider) => [provider.name, entryOf(provider)]));
  home = new InProcessFolder(
    `${testConfig}upstreams: ${JSON.stringify(upstreams)}
models: { m: { type: embedding, targets: [{ upstream: local, model: gte-small }] } }
`,
    { ...testEnvironment, STORED_SECRET: secret, OTHER_SECRET: "other-secret-0123456789" },
  );
  mkdirSync(join(home.folder, "model"));
  for (const name of ["service-account.json", "other-account.json"])
    writeFileSync(join(home.folder, name), JSON.stringify({ token_uri: thief.url }));
  gateway = await home.start({
    environment: {
      AWS_BEARER_TOKEN_BEDROCK: machineSecret,
      GCE_METADATA_HOST: new URL(machine.url).host,
      IDENTITY_ENDPOINT: `${machine.url}/token`,
      IDENTITY_HEADER: "x",
    },
  });
  const created = await gateway.sendJson("/admin/v1/sessions", {}, adminHeaders(testAdminKey));
  session = ((await created.json()) as { value: string }).value;
});
afterAll(async () => {
  await home.remove();
  await Promise.all([own.close(), thief.close(), machine.close()]);
});

const adminHeaders = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly param: string | null | undefined;
  readonly message: string;
}

async function post(path: string, body: object): Promise<Answer> {
  const response = await gateway.sendJson(path, body, adminHeaders(session));
  const text = await response.text();
  const { error } = JSON.parse(text) as { error?: { param: string | null; message: string } | null };
  return { status: response.status, text, param: error?.param, message: error?.message ?? "" };
}
const tryUpstream = (upstream: object, name?: string) =>
  post("/admin/v1/upstream-trials", { upstream, list_only: true, ...(name !== undefined && { name }) });

/** The effect of a setting in a trial that uses a stored secret. A setting without a row fails the tests below. */
interface Row {
  /** Its value in the file. */
  readonly stored: () => unknown;
  /** Another one, which would move a secret. Absent: it moves none, and may be changed. */
  readonly other?: () => unknown;
}

const ref = "${STORED_SECRET}";
const rows: Readonly<Record<string, Row>> = {
  baseUrl: { stored: () => `${own.url}/v1`, other: () => `${thief.url}/v1` },
  proxy: { stored: () => undefined, other: () => thief.url },
  headers: { stored: () => ({ "x-own": ref }), other: () => ({ "x-own": "1", "x-forwarded-host": "thief" }) },
  tls: { stored: () => undefined, other: () => ({ ca: pem }) },
  apiKey: { stored: () => ref },
  secretAccessKey: { stored: () => ref },
  accessKeyId: { stored: () => ref },
  sessionToken: { stored: () => ref },
  username: { stored: () => "user", other: () => "thief" },
  password: { stored: () => ref },
  region: { stored: () => "eu-central-1", other: () => "us-east-1" },
  location: { stored: () => "europe-west4", other: () => "us-central1" },
  project: { stored: () => "own", other: () => "thief" },
  credentialsFile: { stored: () => "./service-account.json", other: () => "./other-account.json" },
  entra: { stored: () => undefined, other: () => "managed" },
  profile: { stored: () => undefined, other: () => "work" },
  role: { stored: () => undefined, other: () => ({ arn: "arn:aws:iam::123456789012:role/thief" }) },
  federation: { stored: () => undefined, other: () => ({ tokenFile: "/run/secrets/token" }) },
  modelFolders: { stored: () => ({ mine: "./model" }), other: () => ({ mine: "/etc" }) },
  allowPrivateUrls: { stored: () => false, other: () => true },
  models: { stored: () => undefined, other: () => undefined },
  endpoints: { stored: () => undefined, other: () => ({ "ep-1": "doubao-embedding" }) },
  inferenceProfiles: { stored: () => undefined, other: () => ({ "amazon.titan-embed-text-v2:0": "p" }) },
  timeoutMs: { stored: () => 5000 },
  discover: { stored: () => undefined },
  discoverEveryMs: { stored: () => undefined },
  preset: { stored: () => undefined },
  editForm: { stored: () => undefined },
  surface: { stored: () => undefined },
  apiVersion: { stored: () => undefined },
  strength: { stored: () => undefined },
};

function settingsOf(provider: Provider): string[] {
  const { properties = {} } = z.toJSONSchema(provider.settings, { io: "input", unrepresentable: "any" });
  return Object.keys(properties).filter((key) => key !== "provider");
}

/** An upstream of the file, with every setting that can be a secret. */
function entryOf(provider: Provider): Record<string, unknown> {
  const settings = settingsOf(provider);
  const isSigned = settings.includes("secretAccessKey");
  const used = settings.filter((key) => !(isSigned && key === "apiKey"));
  const entries = used.map((key) => [key, rowOf(key).stored()]).filter(([, value]) => value !== undefined);
  return { provider: provider.name, ...Object.fromEntries(entries) };
}

function rowOf(setting: string): Row {
  const row = rows[setting];
  if (row === undefined) throw new Error(`Say in the table what ${setting} does to a stored secret.`);
  return row;
}

/** As the console has it. */
function shown(entry: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [
      key,
      JSON.stringify(value).includes("STORED_SECRET") ? placeholder : value,
    ]),
  );
}

const pairs = () =>
  providers.flatMap((provider) =>
    settingsOf(provider).map((setting) => ({ provider, setting, row: rowOf(setting) })),
  );

test("a stored secret goes nowhere but where the file sends it, whatever setting a trial changes", async () => {
  const before = thief.connections();
  const wrong: string[] = [];
  for (const { provider, setting, row } of pairs()) {
    const value = row.other?.();
    if (value === undefined) continue;
    const { status, param, text } = await tryUpstream(
      { ...shown(entryOf(provider)), [setting]: value },
      provider.name,
    );
    if (status !== 400 || param?.startsWith(`upstream.${setting}`) !== true)
      wrong.push(`${provider.name} ${setting}: ${status} ${text}`);
  }

  expect(wrong).toEqual([]);
  expect(thief.connections()).toBe(before);
});

test("a setting that is left out is refused as well", async () => {
  const wrong: string[] = [];
  for (const { provider, setting, row } of pairs()) {
    const entry = entryOf(provider);
    // Secrets that are left out are those of the file.
    if (row.other === undefined || !(setting in entry) || setting === "headers") continue;
    const { [setting]: _, ...rest } = shown(entry);
    const { status, param } = await tryUpstream(rest, provider.name);
    // A local upstream without its folder uses nothing that is stored.
    if (provider.name !== "local" && (status !== 400 || param?.startsWith(`upstream.${setting}`) !== true))
      wrong.push(`${provider.name} ${setting}: ${status} ${param}`);
  }

  expect(wrong).toEqual([]);
});

test("no setting of a trial reads a variable that this upstream does not read there", async () => {
  const before = thief.connections();
  const wrong: string[] = [];
  for (const [index, { provider, setting }] of pairs().entries()) {
    const value = setting === "headers" ? { "x-stolen": "${OTHER_SECRET}" } : "${OTHER_SECRET}";
    const upstream = { provider: provider.name, baseUrl: `${thief.url}/v1`, [setting]: value };
    const { status, param, text } = await tryUpstream(upstream, index % 2 === 0 ? provider.name : undefined);
    if (status !== 400 || !param?.startsWith(`upstream.${setting}`) || text.includes("other-secret"))
      wrong.push(`${provider.name} ${setting}: ${status} ${text}`);
  }

  expect(wrong).toEqual([]);
  expect(thief.connections()).toBe(before);
});

test("names in a trial read no variable", async () => {
  const upstream = { provider: "openai-compatible", baseUrl: `${thief.url}/v1` };
  const model = { type: "embedding", name: "${OTHER_SECRET}" };

  expect(await post("/admin/v1/upstream-trials", { upstream, model })).toMatchObject({
    status: 400,
    param: "model.name",
  });
  for (const given of [
    { ...upstream, headers: { "${OTHER_SECRET}": "1" } },
    { ...upstream, "${OTHER_SECRET}": 1 },
  ]) {
    const { status, text } = await tryUpstream(given);
    expect(status).toBe(400);
    expect(text).not.toContain("other-secret");
  }
});

test("credentials of the machine go only to the provider's own address", async () => {
  const before = thief.connections();
  const movers = { proxy: thief.url, headers: { "x-any": "1" }, tls: { ca: pem } };
  const machines = [
    { provider: "bedrock", region: "eu-central-1" },
    { provider: "vertex", project: "p", location: "global" },
  ];
  for (const upstream of machines) {
    expect(await tryUpstream({ ...upstream, baseUrl: `${thief.url}/v1` })).toMatchObject({
      status: 400,
      param: "upstream.baseUrl",
    });
    for (const [setting, value] of Object.entries(movers))
      expect(await tryUpstream({ ...upstream, [setting]: value })).toMatchObject({
        status: 400,
        param: expect.stringContaining(`upstream.${setting}`),
      });
  }
  const elsewhere = [
    { provider: "azure", entra: "managed" },
    { provider: "azure", entra: "workload" },
    { provider: "openai", federation: "environment" },
  ];
  for (const upstream of elsewhere)
    expect(await tryUpstream({ ...upstream, baseUrl: `${thief.url}/v1` })).toMatchObject({
      status: 400,
      param: "upstream.baseUrl",
    });
  expect(await tryUpstream({ provider: "bedrock", region: "us-east-1", profile: "work" })).toMatchObject({
    status: 400,
    param: "upstream.profile",
  });
  const federation = { policyId: "p", tokenFile: "/run/secrets/token" };
  expect(await tryUpstream({ provider: "openrouter", federation })).toMatchObject({
    status: 400,
    param: "upstream.federation.tokenFile",
  });
  expect(thief.connections()).toBe(before);
});

test("a secret that is entered again may go anywhere, and a stored one to another path of its origin", async () => {
  const entry = {
    provider: "openai-compatible",
    baseUrl: `${thief.url}/v1`,
    headers: {},
    apiKey: "sk-typed-0123456789",
  };
  expect(await tryUpstream(entry, "openai-compatible")).toMatchObject({ status: 200 });
  expect(thief.received.at(-1)?.authorization).toBe("Bearer sk-typed-0123456789");

  const shownEntry = shown(entryOf(providers[1] as Provider));
  expect(
    await tryUpstream({ ...shownEntry, baseUrl: `${own.url}/v2`, timeoutMs: 4000 }, "openai-compatible"),
  ).toMatchObject({ status: 200 });
  expect(own.received.at(-1)?.authorization).toBe(`Bearer ${secret}`);
});

test("an upstream that redirects gets no secret to another origin", async () => {
  const before = thief.connections();
  redirects = true;
  try {
    const { status, text } = await tryUpstream(shown(entryOf(providers[1] as Provider)), "openai-compatible");
    expect(status).toBe(200);
    expect(text).toContain('"ok":false');
  } finally {
    redirects = false;
  }
  expect(thief.connections()).toBe(before);
});

test("nothing says which files exist", async () => {
  const files = ["./service-account.json", "./no-such-file", "/etc/shadow", "/etc", "./model"];
  const messages = async (send: (file: string) => Promise<Answer>) => {
    const answers = await Promise.all(files.map(send));
    expect(answers.map(({ status }) => status)).toEqual(files.map(() => 400));
    return new Set(answers.map(({ message }, index) => message.replaceAll(files[index] ?? "", "FILE")));
  };
  const entry = { provider: "openai-compatible", baseUrl: "https://127.0.0.1:1/v1" };
  for (const key of ["ca", "cert", "key"]) {
    const tls = (file: string) => (key === "ca" ? { ca: file } : { cert: file, key: file, [key]: file });
    expect((await messages((file) => tryUpstream({ ...entry, tls: tls(file) }))).size).toBe(1);
    const change = (file: string) =>
      post("/admin/v1/configuration/changes", {
        dry_run: true,
        upstreams: { fresh: { ...entry, tls: tls(file) } },
      });
    expect((await messages(change)).size).toBe(1);
  }
  const vertex = { provider: "vertex", project: "p", location: "global" };
  expect((await messages((file) => tryUpstream({ ...vertex, credentialsFile: file }))).size).toBe(1);
  expect(
    (await messages((file) => tryUpstream({ provider: "local", modelFolders: { other: file } }))).size,
  ).toBe(1);
});

test("a change shows no value of a variable, in its result and in its faults", async () => {
  const upstream = { provider: "openai-compatible", baseUrl: `${own.url}/v1` };
  const change = (upstreams: object, models: object = {}) =>
    post("/admin/v1/configuration/changes", { dry_run: true, upstreams, models });
  const target = { upstream: "fresh", model: "m" };
  const answers = [
    await change(
      { fresh: upstream },
      { n: { type: "embedding", targets: [{ ...target, model: "${OTHER_SECRET}" }] } },
    ),
    await change(
      { fresh: upstream },
      { n: { type: "embedding", targets: [{ ...target, upstream: "${OTHER_SECRET}" }] } },
    ),
    await change({ fresh: upstream }, { n: { type: "${OTHER_SECRET}", targets: [target] } }),
    await change(
      { fresh: upstream },
      { n: { type: "embedding", aliases: ["m", "${OTHER_SECRET}"], targets: [target] } },
    ),
    await change({ fresh: { ...upstream, provider: "${OTHER_SECRET}" } }),
    await change({ fresh: { ...upstream, baseUrl: "http://${OTHER_SECRET}.example/v1" } }),
    await change({ fresh: { ...upstream, "${OTHER_SECRET}": "1" } }),
    await change({ "${OTHER_SECRET}": upstream }),
  ];

  for (const { text } of answers) expect(text).not.toMatch(/other-secret/);
});

test("there are no trials where the configuration may not be changed", async () => {
  for (const setting of ["{ configure: false }", "false"]) {
    const closed = new InProcessFolder(
      `${testConfig}console: ${setting}
upstreams: { local: { provider: local } }
models: { m: { type: embedding, targets: [{ upstream: local, model: gte-small }] } }
`,
      testEnvironment,
    );
    const { sendJson } = await closed.start();
    const response = await sendJson(
      "/admin/v1/upstream-trials",
      { upstream: { provider: "openai-compatible", baseUrl: `${thief.url}/v1` } },
      adminHeaders(testAdminKey),
    );
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: "configuring_disabled" } });
    await closed.remove();
  }
});
