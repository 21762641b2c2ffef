import { afterEach, beforeEach, expect, test } from "vitest";
import { type BuiltGateway, GatewayFolder, patientTimers } from "../gateway/built.js";
import { sendFresh } from "../gateway/fresh-connection.js";
import { describeStages, type OpenStage } from "../servers/stages.js";

const config = `
console: true
keys: [{ name: tester, key: tester-key-0123456789 }]
upstreams: { nowhere: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" } }
models: { text: { type: embedding, targets: [{ upstream: nowhere, model: text }] } }
`;
const flags = ["--log", "text"];

describeStages("a gateway on a terminal", (stage) => {
  let storage: OpenStage;
  let home: GatewayFolder;
  let gateway: BuiltGateway;
  beforeEach(async () => {
    storage = await stage.open();
    // Several workers need storage that they share.
    const workers = stage.isShared ? "2" : "1";
    home = new GatewayFolder(config, { ...storage.environment, WORKERS: workers, GATEWAY_ADMIN_KEY: "" });
    gateway = await start();
  });
  afterEach(async () => {
    await home.remove();
    await storage.close();
  });

  const start = () => home.start({}, { flags, preload: patientTimers });
  const signIn = async (code: string) => {
    const { status } = await sendFresh(`${gateway.url}/admin/v1/sessions`, { method: "POST", key: code });
    return status;
  };

  test("the admin key is a line of the table, and a request is a line of text", async () => {
    await gateway.send("/v1/no-such-\u0007page");

    expect(gateway.stdout()).toMatch(/^ {2}Admin key {2}mg_admin_\w+ {2}\(store it now/m);
    expect(gateway.stdout()).not.toContain("This is the admin key.");
    await expect
      .poll(gateway.stdout, { timeout: 120_000 })
      .toMatch(/^\d\d:\d\d:\d\d {2}GET {2}\/v1\/no-such-/m);
    expect(gateway.logLines).toEqual([]);
  });

  test("the console link signs in once, whichever workers get it", async () => {
    const code = codeOf(gateway);

    const statuses = await Promise.all(Array.from({ length: 12 }, () => signIn(code)));

    expect(statuses.toSorted()).toEqual([200, ...Array(11).fill(401)]);
    await expect.poll(gateway.stdout, { timeout: 120_000 }).toContain("Get a new one (node ");
    expect(gateway.stdout().split(code)).toHaveLength(2);
  });

  test("a restart gives a new link and ends the old one", async () => {
    const old = codeOf(gateway);
    await gateway.stop();

    gateway = await start();

    expect(await signIn(old)).toBe(401);
    expect(await signIn(codeOf(gateway))).toBe(200);
  });
});

test.each([
  ["for programs", { flags: ["--log", "json"] }, {}],
  ["on all addresses", { flags }, { HOST: "0.0.0.0" }],
])("the console link of a gateway %s has no code", async (_, options, environment) => {
  const home = new GatewayFolder(config);
  try {
    const gateway = await home.start(environment, options);

    expect(gateway.stdout()).toMatch(/^ {2}Console +http:\S+\/console\/$/m);
    expect(gateway.stdout()).not.toContain("mg_code_");
  } finally {
    await home.remove();
  }
});

function codeOf({ stdout }: BuiltGateway): string {
  return /\/console\/#code=(mg_code_\w+) /.exec(stdout())?.[1] ?? "";
}
