import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Schemas } from "@model-gateway/domain/operations";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, type InProcessOptions, startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";

const secret = "sk-changes-secret-0123456789";
const present = `
# The services that we pay for.
upstreams:
  first: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" } # not used yet

models:
  # The oldest model.
  old: { type: embedding, dimensions: 8, targets: [{ upstream: first, model: old }] }
`;

let upstream: FakeUpstream;
let gateway: InProcessGateway | undefined;
beforeEach(async () => {
  upstream = await startFakeUpstream();
});
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
  await upstream.close();
});

async function start(config = present, options: InProcessOptions = {}) {
  const started = await startGateway(config, options);
  gateway = started;
  const file = join(dirname(started.dataDir), "gateway.yaml");
  const secrets = join(started.dataDir, "secrets");
  const headers = { authorization: `Bearer ${testAdminKey}` };
  return {
    gateway: started,
    file,
    secrets,
    text: () => readFileSync(file, "utf8"),
    stored: () => (existsSync(secrets) ? readdirSync(secrets).sort() : []),
    change: async (body: object) => {
      const response = await started.sendJson("/admin/v1/configuration/changes", body, { headers });
      return {
        status: response.status,
        body: (await response.json()) as Schemas["ConfigurationChange"] & Schemas["ErrorResponse"],
      };
    },
    retrieve: async () =>
      (await (await started.send("/admin/v1/configuration", { headers })).json()) as Schemas["Configuration"],
    embed: (model: string) => started.sendJson("/v1/embeddings", { model, input: "a" }),
  };
}

const paid = () => ({
  upstreams: { paid: { provider: "openai", baseUrl: upstream.baseUrl, apiKey: secret } },
  models: { fresh: { type: "embedding", dimensions: 8, targets: [{ upstream: "paid", model: "good" }] } },
});

test("an upstream and a model are added: the model answers, and the file has only new lines", async () => {
  const home = await start();
  const before = home.text();

  const { body } = await home.change(paid());

  expect(body).toMatchObject({ applied: true, in_force: true, not_applied_reason: null });
  expect((await home.embed("fresh")).status).toBe(200);
  expect(upstream.received.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`);
  const added = home
    .text()
    .split("\n")
    .filter((line) => !before.split("\n").includes(line));
  expect(
    home
      .text()
      .split("\n")
      .filter((line) => !added.includes(line))
      .join("\n"),
  ).toBe(before);
  expect(added).toEqual([
    `  paid: { provider: openai, baseUrl: ${upstream.baseUrl}, apiKey: "\${OPENAI_API_KEY}" }`,
    expect.stringContaining("  fresh: { type: embedding, dimensions: 8, targets: "),
  ]);
  expect(readFileSync(`${home.file}.previous`, "utf8")).toBe(before);
});

test("a secret is in a file that only the gateway can read, and nowhere else", async () => {
  const home = await start();

  const { body } = await home.change(paid());
  const shown = await home.retrieve();

  expect(readFileSync(join(home.secrets, "OPENAI_API_KEY"), "utf8")).toBe(`${secret}\n`);
  expect(statSync(home.secrets).mode & 0o777).toBe(0o700);
  expect(statSync(join(home.secrets, "OPENAI_API_KEY")).mode & 0o777).toBe(0o600);
  for (const text of [home.text(), JSON.stringify([body, shown]), home.gateway.logLines.join("")])
    expect(text).not.toContain("changes-secret");
  expect(shown.upstreams.paid).toEqual({ provider: "openai", baseUrl: upstream.baseUrl, apiKey: "(set)" });
});

test("an upstream is changed with the secret that it has, and with another one", async () => {
  const home = await start();
  await home.change(paid());
  const { version, upstreams } = await home.retrieve();

  await home.change({ version, upstreams: { paid: { ...upstreams.paid, timeoutMs: 5000 } } });
  expect(home.text()).toContain('apiKey: "${OPENAI_API_KEY}", timeoutMs: 5000 }');
  await home.change({ upstreams: { paid: { ...upstreams.paid, apiKey: `${secret}-new` } } });
  await home.embed("fresh");

  expect(upstream.received.at(-1)?.headers.authorization).toBe(`Bearer ${secret}-new`);
  expect(home.stored()).toEqual(["PAID_API_KEY"]);
});

test("an upstream and its model are removed, and so is its secret", async () => {
  const home = await start();
  const before = home.text();
  await home.change(paid());

  const { body } = await home.change({ upstreams: { paid: null }, models: { fresh: null } });

  expect(body).toMatchObject({ applied: true, in_force: true, lines: "" });
  expect(home.text()).toBe(before);
  expect(home.stored()).toEqual([]);
  expect((await home.embed("fresh")).status).toBe(404);
});

test("a dry run writes nothing", async () => {
  const home = await start();
  const before = home.text();

  const { body } = await home.change({ ...paid(), dry_run: true });

  expect(body).toMatchObject({ applied: false, not_applied_reason: "dry_run", in_force: false });
  expect(body.diff).toContain('apiKey: "${OPENAI_API_KEY}" }');
  expect([home.text(), home.stored()]).toEqual([before, []]);
});

test.each<[reason: string, config: string, prepare: (file: string) => void]>([
  ["read_only_file", present, (file) => chmodSync(file, 0o444)],
  [
    "linked_file",
    present,
    (file) => {
      renameSync(file, `${file}.target`);
      symlinkSync(`${file}.target`, file);
    },
  ],
  ["disabled", `console: { configure: false }\n${present}`, () => undefined],
  ["disabled", `console: false\n${present}`, () => undefined],
])("with %s, the response has the lines to paste", async (reason, config, prepare) => {
  const home = await start(config);
  prepare(home.file);
  const before = home.text();

  const shown = await home.retrieve();
  const { status, body } = await home.change(paid());

  expect(shown).toMatchObject({ editable: false, not_editable_reason: reason });
  expect(status).toBe(200);
  expect(body).toMatchObject({ applied: false, not_applied_reason: reason, version: shown.version });
  expect(body.lines).toContain("    apiKey: ${OPENAI_API_KEY}\n");
  expect([home.text(), home.stored()]).toEqual([before, []]);
});

test("an entry behind an alias is not changed, and the lines say what to write", async () => {
  const home = await start(
    present.replace("upstreams:\n", "upstreams: &all\n  second: &base { provider: local }\n  third: *base\n"),
  );
  const before = home.text();

  const { body } = await home.change({ upstreams: { second: { provider: "ollama" } } });

  expect(body).toMatchObject({ applied: false, not_applied_reason: "unsupported_yaml", diff: "" });
  expect(body.lines).toBe("upstreams:\n  second:\n    provider: ollama\n");
  expect(home.text()).toBe(before);
});

test("concurrent changes all arrive, and one with an old version is refused", async () => {
  const home = await start();
  const { version } = await home.retrieve();
  const model = (name: string) => ({
    models: { [name]: { type: "embedding", dimensions: 8, targets: [{ upstream: "first", model: name }] } },
  });

  const changes = await Promise.all(["a", "b", "c", "d"].map((name) => home.change(model(name))));
  const late = await home.change({ ...model("e"), version });

  expect(changes.map(({ body }) => body.applied)).toEqual([true, true, true, true]);
  expect(Object.keys((await home.retrieve()).models).sort()).toEqual(["a", "b", "c", "d", "old"]);
  expect(late).toMatchObject({ status: 409, body: { error: { code: "configuration_changed" } } });
});

test("a change that cannot be put in force is taken back", async () => {
  const home = await start(present, { reloadConfiguration: async () => ["  The disk has a hole."] });
  const before = home.text();

  const { status, body } = await home.change(paid());

  expect(status).toBe(400);
  expect(body.error.message).toContain("The disk has a hole.");
  expect([home.text(), home.stored()]).toEqual([before, []]);
});

test("a diff hides secrets that are plain text in the file", async () => {
  const home = await start(
    present.replace(" # not used yet", "\n  near: { provider: openai, apiKey: plain-1 }"),
  );

  const { body } = await home.change({ ...paid(), dry_run: true });

  expect(body.diff).toContain("near: { provider: openai, apiKey: (set) }");
  expect(body.diff).not.toContain("plain-1");
});

test("a file with a fault is not changed, and the response has the fault", async () => {
  const home = await start();
  writeFileSync(home.file, `${home.text()}what: 1\n`);

  const { status, body } = await home.change(paid());

  expect(status).toBe(400);
  expect(body.error).toMatchObject({ param: "what", code: "invalid_value" });
  expect(home.stored()).toEqual([]);
});

test("the change is in the log and on the event stream, with names and no values", async () => {
  const home = await start();
  const headers = { authorization: `Bearer ${testAdminKey}` };
  const session = (await (
    await home.gateway.send("/admin/v1/sessions", { method: "POST", headers })
  ).json()) as Schemas["CreatedSession"];
  const stream = await home.gateway.send("/admin/v1/events", { headers });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let events = (await reader?.read())?.value ?? "";

  await home.gateway.sendJson("/admin/v1/configuration/changes", paid(), {
    headers: { authorization: `Bearer ${session.value}` },
  });
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
    events += part.value;

  const changed = /^event: configuration\.changed\ndata: (.*)$/m.exec(events)?.[1] ?? "{}";
  const data = {
    actor: session.id,
    upstreams_set: ["paid"],
    upstreams_removed: [],
    models_set: ["fresh"],
    models_removed: [],
    version: expect.stringMatching(/^[0-9a-f]{32}$/),
    worker: 1,
  };
  expect(JSON.parse(changed)).toMatchObject({ type: "configuration.changed", data });
  expect(home.gateway.logLines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ msg: "The configuration file was changed.", ...data }),
  );
  expect(events).not.toContain("changes-secret");
});
