import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { FakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { suiteGateway } from "../../gateway/suite.js";
import { testAdminKey, testKey } from "../../gateway/test-gateway.js";
import { type CommandOptions, runCommand } from "./run-command.js";

const config = ({ baseUrl }: Pick<FakeUpstream, "baseUrl">) => `
upstreams:
  main: { provider: openai-compatible, baseUrl: "${baseUrl}" }
  away: { provider: openai-compatible, baseUrl: "http://127.0.0.1:9/v1" }
models:
  text:
    type: embedding
    aliases: [words]
    dimensions: 8
    targets: [{ upstream: main, model: m, price: { perMillionTokens: 1 } }]
  gone: { type: embedding, targets: [{ upstream: away, model: n }] }
  picture: { type: image, profile: gpt-image, targets: [{ upstream: main, model: image }] }
  any-*: { type: embedding, targets: [{ upstream: main, model: "any-*" }] }`;
const suite = suiteGateway(config);

beforeAll(() => suite.upstream.follow({ always: { width: 8 } }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "commands-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (line: string, options: CommandOptions = {}) =>
  runCommand(
    suite.gateway.url,
    line.split(" ").map((word) => word.replaceAll("+", " ")),
    { folder, ...options },
  );
/** A caller's key alone. */
const asCaller = { environment: { GATEWAY_KEY: testKey } };
const admin = () => new AdminClient(suite.gateway.url);

async function read(line: string, options?: CommandOptions): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await run(`${line} --json`, options);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe("status", () => {
  test("shows the version, the models, the targets that are down and the last failures", async () => {
    const failed = await suite.gateway.sendJson("/v1/embeddings", { model: "gone", input: "a" });
    const row = await admin().rowOf(failed);

    const { exitCode, stdout } = await run("status");
    const document = await read("status");

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^Model Gateway 1\.0\.0 at http:\S+ is ready\.\n {2}1 worker\n\n4 models, 3 ready\n {2}failing +gone +embedding +None of its upstreams works at the moment\.\n/,
    );
    expect(stdout).toMatch(
      /\n2 upstreams, (?:\d targets? not called since the start, )?1 target not healthy\n {2}\S+ +away {2}n {2}.*Nothing listens at /,
    );
    expect(stdout).toMatch(/\nLast failures\n.* 503 +createEmbedding +gone +away +upstream_unavailable /);
    expect(document).toMatchObject({
      status: "ready",
      version: "1.0.0",
      workers: 1,
      upstreams: { total: 2, unhealthy: [{ upstream: "away" }] },
      failures: [row],
    });
  });

  test("without the admin key it shows the readiness", async () => {
    const { exitCode, stdout } = await run("status", { environment: {} });

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^The gateway at http:\S+ is ready\.\n\n4 models, \d ready\n/);
    expect(stdout).toContain("Upstreams and failures need the admin key: set GATEWAY_ADMIN_KEY.");
  });
});

describe("models", () => {
  test("shows type, width or sizes, state and targets", async () => {
    const { stdout } = await run("models");

    expect(stdout).toMatch(/^ {2}model +type +output +facts +state +targets\n/);
    expect(stdout).toMatch(/\n {2}text +embedding +8 wide +ready +main\/m\n/);
    expect(stdout).toMatch(/\n {2}picture +image +auto 1024x1024 .* ready +main\/image\n/);
    expect(stdout).toMatch(/\n4 models\n$/);
  });

  test.each([
    ["words", ["text"]],
    ["TEX", ["text"]],
    ["*ture", ["picture"]],
    ["away", ["gone"]],
    ["nothing", []],
  ])("%s finds %j", async (filter, ids) => {
    const { data } = await read(`models ${filter}`);

    expect((data as { id: string }[]).map(({ id }) => id)).toEqual(ids);
  });

  test("a caller sees the models of its key, without targets", async () => {
    const { stdout } = await run("models text", asCaller);

    expect(stdout).toMatch(/\n {2}text +embedding +8 wide +ready\n1 of 4 models\n$/);
  });
});

describe("try", () => {
  test("embeds a text with the first model that is ready, and shows what it took", async () => {
    const { exitCode, stdout } = await run("try The+cat+sat+on+the+mat.");

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^text: a vector of 8 numbers in \d+ ms\n {2}vector +\[-?\d\.\d{4}, .*, …\]\n/);
    expect(stdout).toMatch(
      /\n {2}tokens +\d+\n {2}cost +\$0\.0000\d+\n {2}served by +main\n {2}request +req_\w+\n$/,
    );
  });

  test("as JSON it has the whole vector and the record of the request", async () => {
    const document = await read("try hello --model words");
    const [row] = await admin()
      .rows({ key: "console:operator" })
      .then((rows) => rows.slice(-1));

    expect(document.embedding).toHaveLength(8);
    expect(document).toMatchObject({
      model: "words",
      dimensions: 8,
      cost_usd: row?.cost_usd,
      request_id: row?.id,
    });
  });

  test("no session and no key is left behind", async () => {
    const before = await suite.gateway.send("/admin/v1/keys", {
      headers: { authorization: `Bearer ${testAdminKey}` },
    });
    const keys = await before.text();

    await run("try hello");
    const lines = suite.gateway.logLines.join("");

    const after = await suite.gateway.send("/admin/v1/keys", {
      headers: { authorization: `Bearer ${testAdminKey}` },
    });
    expect(JSON.parse(await after.text()).data.map(({ id }: { id: string }) => id)).toEqual(
      JSON.parse(keys).data.map(({ id }: { id: string }) => id),
    );
    expect(lines).toContain('"operation":"endSession"');
    expect(lines).not.toContain("mg_session_");
  });

  test("a caller's key is enough, and counts", async () => {
    const document = await read("try caller", asCaller);
    const isRecorded = async () => (await admin().rows()).find(({ id }) => id === document.request_id);

    expect(document).toMatchObject({ model: "text", cost_usd: null });
    await expect.poll(isRecorded).toMatchObject({ key_id: "config:tester" });
  });

  test("an image is written in the format of its name, and no file is overwritten without --force", async () => {
    writeFileSync(join(folder, "old.png"), "mine");
    const received = suite.upstream.received.length;

    const refused = await run("try a+fox --image --out old.png");
    const calls = suite.upstream.received.length - received;
    const kept = readFileSync(join(folder, "old.png"), "utf8");
    const forced = await run("try a+fox --image --out old.png --force");
    const written = readFileSync(join(folder, "old.png"));
    const document = await read("try a+fox --image --out new.webp --size 1024x1024");

    expect(refused).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: "old.png exists already. Use --force to overwrite it, or another --out.",
    });
    expect([calls, kept]).toEqual([0, "mine"]);
    expect(forced.stdout).toMatch(/^picture: old\.png, \d+ bytes, in \d+ ms\n/);
    expect(written.subarray(1, 4).toString()).toBe("PNG");
    expect(readFileSync(join(folder, "new.webp")).subarray(8, 12).toString()).toBe("WEBP");
    expect(document).toMatchObject({ model: "picture", file: "new.webp", upstream: "main" });
  });

  test.each([
    ["try fox --image", 2, "try --image needs a file: --out fox.png."],
    ["try fox --image --out fox.gif", 2, "--out needs a name that ends with .png, .jpg, .jpeg, .webp."],
    ["try hi --model nope", 1, "The model `nope` does not exist or you do not have access to it."],
    ["try hi --model gone", 1, "Nothing listens at"],
  ])("%s ends with %s and says why", async (line, code, message) => {
    const { exitCode, stdout, stderr } = await run(line);

    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: "" });
    expect(stderr).toContain(message);
  });
});

describe("keys", () => {
  test("a key is created with its restrictions, works, is listed, and is revoked by its name", async () => {
    const created = await run(
      "keys create web+app --models text,any-* --owner me --budget 25/month --expires 2090-06-30 --requests-per-minute 60 --priority bulk",
    );
    const secret = /^ {2}(mg_\w+)$/m.exec(created.stdout)?.[1] ?? "";
    const served = await read("try hello", { environment: { GATEWAY_KEY: secret } });
    const listed = await run("keys list");
    const { data } = await read("keys list");
    const revoked = await run("keys revoke web+app");
    const again = await run("keys revoke web+app");
    const refused = await run("try hello", { environment: { GATEWAY_KEY: secret } });

    expect(created.stdout).toMatch(/^Created the key web app \(key_\w+\)\. Store it now/);
    expect(served.model).toBe("text");
    expect(listed.stdout).toMatch(/ key_\w+ +web app +me +active +text any-\* +\$\S+ of \$25\.00\/month /);
    expect((data as object[])[0]).toMatchObject({
      name: "web app",
      owner: "me",
      models: ["text", "any-*"],
      priority: "bulk",
      budget: { usd: 25, per: "month" },
      expires_at: Date.UTC(2090, 5, 30) / 1000,
      limits: { requests_per_minute: 60, tokens_per_minute: null },
    });
    expect(revoked.stdout).toMatch(/^Revoked the key web app \(key_\w+\)\./);
    expect(again.stderr).toBe(
      'There is no key "web app" that can be revoked. npx @model-gateway/gateway keys list shows all.',
    );
    expect(refused.stderr).toContain(
      "does not accept the key in GATEWAY_KEY. This API key was revoked. Create another one: npx @model-gateway/gateway keys create <name>",
    );
  });

  test("rotate prints a new secret, and says until when the earlier one works", async () => {
    const created = await read("keys create rotated");
    const withKey = (secret: unknown) =>
      run("try hello", { environment: { GATEWAY_KEY: String(secret) } }).then(({ exitCode }) => exitCode);

    const kept = await run("keys rotate rotated --overlap 1h");
    const secret = /^ {2}(mg_\w+)$/m.exec(kept.stdout)?.[1];
    const both = [await withKey(created.value), await withKey(secret)];
    const stopped = await run(`keys rotate ${created.id} --overlap 0`);

    expect(kept.stdout).toMatch(/^The key rotated \(key_\w+\) has a new secret\. Store it now/);
    expect(kept.stdout).toMatch(/The earlier secret mg_\.\.\.\w{4} works until \S+/);
    expect(both).toEqual([0, 0]);
    expect(stopped.stdout).toContain("The earlier secret stops working within a second on every gateway.");
    expect([await withKey(created.value), await withKey(secret)]).toEqual([1, 1]);
  });

  test("two keys of one name are revoked by their ids", async () => {
    const [one, other] = [await read("keys create twin"), await read("keys create twin")];

    const unclear = await run("keys revoke twin");
    const revoked = await read(`keys revoke ${one.id}`);

    expect(unclear.stderr).toContain('Several keys are called "twin". Name one by its id: ');
    expect(unclear.stderr).toContain(String(other.id));
    expect(revoked).toMatchObject({ id: one.id, status: "revoked" });
  });

  test.each([
    [
      "keys create x --budget 25",
      2,
      "The option --budget needs an amount and a period: 25/month or 2.50/day.",
    ],
    ["keys create x --expires soon", 2, "The option --expires needs a date: 2027-06-30."],
    ["keys create x --models nope", 0, ""],
    ["keys rotate x --overlap soon", 2, "The option --overlap needs a time: 0, 30m, 24h or 7d."],
    ["keys rotate config:tester", 1, "is defined in the configuration file. Change it there."],
    ["keys revoke config:tester", 1, "is defined in the configuration file. Change it there."],
  ])("%s ends with %s", async (line, code, message) => {
    const { exitCode, stderr } = await run(line);

    expect(exitCode).toBe(code);
    expect(stderr).toContain(message);
  });
});

describe("logs", () => {
  test("prints the last requests, the oldest first", async () => {
    const first = await suite.gateway.sendJson("/v1/embeddings", { model: "text", input: "first" });
    await admin().rowOf(first);
    const second = await suite.gateway.sendJson("/v1/embeddings", { model: "nope", input: "second" });
    const row = await admin().rowOf(second);

    const { stdout } = await run("logs --limit 2");
    const json = await run("logs --limit 1 --json");
    const failed = await run("logs --failed --model text");

    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d {2}200 {2}createEmbedding +text +main +\d+ tokens +\S+ ms +\$\S+ +tester$/,
    );
    expect(lines[1]).toMatch(
      / 404 {2}createEmbedding +- +- +model_not_found .* The model `nope` does not exist/,
    );
    expect(JSON.parse(json.stdout)).toEqual(row);
    expect(failed.stdout).toBe("");
  });

  test("with --follow it goes on with each request, over a reload, until it is ended", async () => {
    const ended = new AbortController();
    const printed: string[] = [];
    const following = run("logs --follow --json --limit 1", {
      signal: ended.signal,
      onPrint: (text) => printed.push(text),
    });
    await expect.poll(() => printed.length).toBe(1);

    const response = await suite.gateway.sendJson("/v1/embeddings", { model: "text", input: "followed" });
    const id = response.headers.get("x-request-id");
    await expect.poll(() => printed.join("")).toContain(`"id":"${id}"`);
    await suite.gateway.reload(config(suite.upstream));
    await expect.poll(() => printed.join("")).toContain('"type":"configuration.reloaded"');
    // A request between two streams is not printed.
    const seen = printed.length;
    await expect
      .poll(async () => {
        await suite.gateway.sendJson("/v1/embeddings", { model: "text", input: "again" });
        return printed.length;
      })
      .toBeGreaterThan(seen);
    ended.abort();
    const { exitCode } = await following;

    expect(exitCode).toBe(0);
    expect(JSON.parse(printed.at(-1) ?? "")).toMatchObject({
      type: "request.finished",
      data: { model: "text" },
    });
  });
});
