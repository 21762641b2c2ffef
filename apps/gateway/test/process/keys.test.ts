import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Schemas } from "@model-gateway/domain/operations";
import {
  createPostgresDatabase,
  hasPostgres,
  reportMissingPostgres,
} from "@model-gateway/test-suite/postgres-server";
import { afterEach, describe, expect, test } from "vitest";
import { type LaunchedGateway, launchGateway } from "../gateway/built.js";
import { readAllRows } from "../servers/all-rows.js";

/** Runs built gateways as processes, from their first start, on each database. */
const config = `
upstreams: { local: { provider: local } }
models:
  gte-small: { type: embedding, targets: [{ upstream: local, model: gte-small }] }
  local-sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] }
`;

interface KeysStage {
  /** Starts a gateway on the database. Each number has its own folder. */
  start(number?: number): LaunchedGateway;
  /** Everything in the database and the folders, as text. */
  content(): Promise<string>;
}

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

describe("keys on SQLite", () => {
  tests(async () => {
    const { folders, start } = createStart({});
    return { start, content: async () => folders().map(contentOf).join("") };
  });
});

if (!hasPostgres) reportMissingPostgres("keys over HTTP");
describe.skipIf(!hasPostgres)("keys on PostgreSQL", () => {
  const create = async (): Promise<KeysStage> => {
    const database = await createPostgresDatabase();
    cleanUps.push(() => database.drop());
    const { folders, start } = createStart({ DATABASE_URL: database.url });
    const content = async () => `${folders().map(contentOf).join("")}${await readAllRows(database.url)}`;
    return { start, content };
  };
  tests(create);

  test("a key works on every gateway at once, and a change or revocation reaches every gateway soon", async () => {
    const { start } = await create();
    const one = start(1);
    const oneUrl = await one.listening();
    const two = start(2);
    const twoUrl = await two.listening();
    const admin = adminOf(oneUrl, one);

    const { id, value } = await admin.create({ name: "shared", models: ["gte-small"] });
    const before = [await modelsOf(oneUrl, value), await modelsOf(twoUrl, value)];
    await admin.change(id, { models: ["local-*"] });
    await expect.poll(() => modelsOf(twoUrl, value), soon).toEqual(["local-sketch"]);
    const { value: next } = await admin.rotate(id, 3600);
    const during = [
      await modelsOf(oneUrl, next),
      await modelsOf(twoUrl, next),
      await modelsOf(twoUrl, value),
    ];
    await admin.rotate(id, 0);
    const replaced = "401 This API key was replaced. Use its new secret.";
    await expect.poll(() => modelsOf(twoUrl, value), soon).toBe(replaced);
    await expect.poll(() => modelsOf(twoUrl, next), soon).toBe(replaced);
    await admin.revoke(id);
    const revokedAt = performance.now();
    await expect.poll(() => modelsOf(twoUrl, value), soon).toBe("401 This API key was revoked.");
    console.info(`Revoked on another gateway after ${Math.round(performance.now() - revokedAt)} ms.`);

    expect(before).toEqual([["gte-small"], ["gte-small"]]);
    expect(during).toEqual([["local-sketch"], ["local-sketch"], ["local-sketch"]]);
    expect(await modelsOf(oneUrl, value)).toBe("401 This API key was revoked.");
    // The second start found the admin key that the first one created.
    expect(one.stdout()).toMatch(/mg_admin_/);
    expect(two.stdout()).not.toMatch(/mg_admin_/);
  });
});

const soon = { timeout: 90_000, interval: 10 };

function tests(create: () => Promise<KeysStage>): void {
  test("keys are created, listed, changed, rotated and revoked, survive a restart, and are never stored or logged", async () => {
    const { start, content } = await create();
    const first = start();
    const url = await first.listening();
    const admin = adminOf(url, first);

    const created = [];
    for (const name of ["one", "two", "three"]) created.push(await admin.create({ name }));
    const [one, two, three] = created as [
      Schemas["CreatedKey"],
      Schemas["CreatedKey"],
      Schemas["CreatedKey"],
    ];
    const works = await Promise.all([one.value, two.value, three.value].map((key) => modelsOf(url, key)));
    await admin.change(two.id, { models: ["gte-*"] });
    const rotated = await admin.rotate(one.id, 3600);
    await admin.revoke(three.id);
    const [firstPage, secondPage] = await admin.pages(2);
    first.process.kill("SIGTERM");
    await first.exit;
    const second = start();
    const nextUrl = await second.listening();
    const again = adminOf(nextUrl, first);

    const models = ["gte-small", "local-sketch"];
    expect(works).toEqual([models, models, models]);
    expect([firstPage?.length, secondPage?.length]).toEqual([2, 1]);
    const listed = await again.pages(100);
    expect(
      listed
        .flat()
        .map(({ name, status, last_used_at }) => [name, status, last_used_at !== null])
        .sort(),
    ).toEqual([
      ["one", "active", true],
      ["three", "revoked", true],
      ["two", "active", true],
    ]);
    expect(
      await Promise.all([one, rotated, two, three].map(({ value }) => modelsOf(nextUrl, value))),
    ).toEqual([models, models, ["gte-small"], "401 This API key was revoked."]);
    // Nothing has created a key that was not asked for. The table says how to.
    expect(first.stdout()).toMatch(
      / {2}API key +none in the configuration {2}\(to create one: node .* keys create <name>\)/,
    );
    expect(first.stdout()).not.toMatch(/mg_(?!admin_)\w{20}/);

    const adminKey = adminKeyOf(first);
    const secrets = [one.value, rotated.value, two.value, three.value, adminKey].flatMap(everyForm);
    expect(secrets.length).toBeGreaterThan(10);
    const stored = await content();
    expect(stored).toContain("three");
    expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
    const logs = [first, second].map((gateway) => gateway.stdout() + gateway.stderr());
    expect(second.stdout()).not.toContain(adminKey);
    // A start prints the keys that it created. The log lines must not contain them.
    const lines = logs.flatMap((log) => log.split("\n")).filter((line) => line.startsWith("{"));
    expect(lines.length).toBeGreaterThan(10);
    expect(secrets.filter((secret) => lines.some((line) => line.includes(secret)))).toEqual([]);
    expect(lines.some((line) => line.includes(`"caller":"${one.id}","callerName":"one"`))).toBe(true);
  });
}

/** A key in plain text and in the encodings that a leak might use. */
function everyForm(key: string): string[] {
  const bytes = Buffer.from(key);
  return [key, bytes.toString("hex"), bytes.toString("base64").replace(/=*$/, "")];
}

function adminKeyOf(gateway: LaunchedGateway): string {
  return /mg_admin_\w+/.exec(gateway.stdout())?.[0] ?? "";
}

/** @param first The gateway that printed the admin key. */
function adminOf(url: string, first: LaunchedGateway) {
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${adminKeyOf(first)}`, "content-type": "application/json" };
    const response = await fetch(`${url}/admin/v1/keys${path}`, { ...init, headers });
    expect(response.status).toBe(200);
    // biome-ignore lint/suspicious/noExplicitAny: the contract tests hold every body against the spec.
    return (await response.json()) as any;
  };
  return {
    create: (body: Schemas["CreateKeyRequest"]): Promise<Schemas["CreatedKey"]> =>
      send("", { method: "POST", body: JSON.stringify(body) }),
    change: (id: string, body: Schemas["ChangeKeyRequest"]) =>
      send(`/${id}`, { method: "PATCH", body: JSON.stringify(body) }),
    rotate: (id: string, overlapSeconds: number): Promise<Schemas["CreatedKey"]> =>
      send(`/${id}/secrets`, { method: "POST", body: JSON.stringify({ overlap_seconds: overlapSeconds }) }),
    revoke: (id: string) => send(`/${id}`, { method: "DELETE" }),
    pages: async (limit: number): Promise<Schemas["AccessKey"][][]> => {
      const pages = [];
      let cursor = "";
      do {
        const { data, next_cursor } = await send(`?limit=${limit}${cursor}`);
        pages.push(data);
        cursor = next_cursor === null ? "" : `&cursor=${next_cursor}`;
      } while (cursor !== "");
      return pages;
    },
  };
}

/** The models that a key may call, or the error. */
async function modelsOf(url: string, key: string): Promise<string[] | string> {
  const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  // biome-ignore lint/suspicious/noExplicitAny: the contract tests hold every body against the spec.
  const body = (await response.json()) as any;
  if (response.status !== 200) return `${response.status} ${body.error.message}`;
  return body.data.map(({ id }: { id: string }) => id);
}

function createStart(environment: Record<string, string>) {
  const started = new Map<number, string>();
  const start = (number = 1) => {
    const folder = started.get(number) ?? mkdtempSync(join(tmpdir(), "gateway-keys-"));
    if (!started.has(number)) cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    started.set(number, folder);
    writeFileSync(join(folder, "gateway.yaml"), config);
    const gateway = launchGateway({ folder, environment });
    cleanUps.push(async () => {
      gateway.process.kill("SIGKILL");
      await gateway.exit;
    });
    return gateway;
  };
  return { start, folders: () => [...started.values()] };
}

function contentOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}
