import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { testKey } from "../../gateway/test-gateway.js";

/** The built gateway as a separate process, whose configuration file is changed through it. */
const secret = "sk-process-secret-0123456789";
const killBeforeRename = new URL("kill-before-rename.mjs", import.meta.url).pathname;
let folder: GatewayFolder;
let upstream: FakeUpstream;

beforeEach(async () => {
  upstream = await startFakeUpstream();
});
afterEach(async () => {
  await folder.remove();
  await upstream.close();
});

const added = () => ({
  upstreams: { paid: { provider: "openai", baseUrl: upstream.baseUrl, apiKey: secret } },
  models: { fresh: { type: "embedding", dimensions: 8, targets: [{ upstream: "paid", model: "good" }] } },
});
const change = async (gateway: BuiltGateway, body: object) => {
  const init = { method: "POST", body: JSON.stringify(body) };
  return (await new AdminClient(gateway.url).send("/admin/v1/configuration/changes", init)).json();
};
const embed = async (gateway: BuiltGateway, model: string) =>
  (await gateway.sendJson("/v1/embeddings", { model, input: "a" })).status;
const file = () => join(folder.folder, "gateway.yaml");
const text = () => readFileSync(file(), "utf8");

test("without a file, the first change creates one that a restart and the watch read", async () => {
  folder = new GatewayFolder(undefined, { GATEWAY_KEY: testKey });
  const gateway = await folder.start();

  expect(await change(gateway, added())).toMatchObject({ applied: true, in_force: true, file: file() });

  expect(text()).toContain('apiKey: "${OPENAI_API_KEY}"');
  expect(await embed(gateway, "fresh")).toBe(200);
  const secrets = join(gateway.dataDir, "secrets");
  expect([statSync(secrets).mode & 0o777, statSync(join(secrets, "OPENAI_API_KEY")).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  // The models of the run are still there, and an edit by hand is noticed.
  folder.configure(text().replace("\n  gte-small:", "\n  renamed:"));
  await expect.poll(() => gateway.send("/v1/models/renamed").then(({ status }) => status)).toBe(200);
  await gateway.stop();
  const again = await folder.start();
  expect(await embed(again, "fresh")).toBe(200);
  expect(upstream.received.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`);
  expect(folder.output).not.toContain("process-secret");
});

test("a gateway that is killed before the rename leaves the old file whole", async () => {
  const before = `
keys: [{ name: tester, key: ${testKey} }]
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } } # kept
models: { old: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: good }] } }
`;
  folder = new GatewayFolder(before);
  const gateway = await folder.start({}, { preload: killBeforeRename });

  await expect(change(gateway, added())).rejects.toThrow();
  await gateway.exit;

  expect(text()).toBe(before);
  expect(existsSync(`${file()}.next`)).toBe(true);
  const again = await folder.start();
  expect(await embed(again, "old")).toBe(200);
  expect(await change(again, added())).toMatchObject({ applied: true, in_force: true });
  expect(await embed(again, "fresh")).toBe(200);
  expect(readdirSync(folder.folder).sort()).toEqual(["data", "gateway.yaml", "gateway.yaml.previous"]);
});

test("one change is one reload, although the file is watched", async () => {
  folder = new GatewayFolder(undefined, { GATEWAY_KEY: testKey });
  const gateway = await folder.start();
  const reloads = () => gateway.stdout().split("The configuration was reloaded.").length - 1;

  await change(gateway, added());
  const { models } = added();
  await change(gateway, { models: { other: models.fresh } });
  // A reload by the watch comes after its next poll. This edit is one, and no other came before it.
  folder.configure(`${text()}# by hand\n`);
  await expect.poll(reloads).toBeGreaterThanOrEqual(3);

  expect(reloads()).toBe(3);
});
