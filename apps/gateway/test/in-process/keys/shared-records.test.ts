import type { Schemas } from "@model-gateway/domain/operations";
import OpenAI, { toFile } from "openai";
import { beforeAll, expect, test } from "vitest";
import { AdminClient } from "../../gateway/admin-client.js";
import { suiteGateway } from "../../gateway/suite.js";

const suite = suiteGateway(
  ({ baseUrl }) => `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  e: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: e }] }
  i: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: i }] }`,
);

/** The part of a record that a key sees, by its status. */
interface Views {
  readonly retrieve: number;
  readonly listed: boolean;
}
type Name = "creator" | "colleague" | "stranger" | "loner";

let admin: AdminClient;
let keys: Readonly<Record<Name, Schemas["CreatedKey"]>>;
const shared: Views = { retrieve: 200, listed: true };
const unknown: Views = { retrieve: 404, listed: false };

beforeAll(async () => {
  admin = new AdminClient(suite.gateway.url);
  const create = (name: Name, owner?: string) => admin.createKey({ name, ...(owner && { owner }) });
  keys = {
    creator: await create("creator", "search"),
    colleague: await create("colleague", "search"),
    stranger: await create("stranger", "ads"),
    loner: await create("loner"),
  };
});

test("keys of one owner share jobs, files and batches, and to other keys they do not exist", async () => {
  const records = await createRecords(keys.creator.value);

  for (const path of records) {
    expect([path, await viewsOf(path)]).toEqual([
      path,
      { creator: shared, colleague: shared, stranger: unknown, loner: unknown },
    ]);
  }
});

test("keys without an owner share nothing", async () => {
  const other = await admin.createKey({ name: "without an owner" });

  for (const path of await createRecords(other.value))
    expect((await viewsOf(path)).loner, path).toEqual(unknown);
});

test("another owner of the key gets none of its earlier records, and the key keeps them", async () => {
  const moved = await admin.createKey({ name: "moved", owner: "search" });
  const records = await createRecords(moved.value);

  await admin.changeKey(moved.id, { owner: "ads" });

  for (const path of records) {
    await expect.poll(async () => (await look(path, moved.value)).retrieve, { message: path }).toBe(200);
    expect(await viewsOf(path)).toMatchObject({ colleague: shared, stranger: unknown });
  }
});

test("a colleague uses a file for a batch, reads its output, and deletes what the revoked key left", async () => {
  const leaving = await admin.createKey({ name: "leaving", owner: "search" });
  const [file = ""] = await createRecords(leaving.value);
  await admin.revokeKey(leaving.id);
  const { batches, files } = clientOf(keys.colleague.value);

  const { id } = await batches.create({
    input_file_id: file.split("/").at(-1) ?? "",
    endpoint: "/v1/embeddings",
    completion_window: "24h",
  });
  await expect.poll(async () => (await batches.retrieve(id)).status).toBe("completed");

  const output = (await batches.retrieve(id)).output_file_id ?? "";
  expect(await (await clientOf(keys.creator.value).files.content(output)).text()).toContain("custom_id");
  expect(await files.delete(file.split("/").at(-1) ?? "")).toMatchObject({ deleted: true });
});

/** The paths of a file, a batch and a job. */
async function createRecords(key: string): Promise<readonly string[]> {
  const { files, batches } = clientOf(key);
  const line = {
    custom_id: "one",
    method: "POST",
    url: "/v1/embeddings",
    body: { model: "e", input: "a" },
  };
  const file = await files.create({
    file: await toFile(Buffer.from(`${JSON.stringify(line)}\n`), "a.jsonl"),
    purpose: "batch",
  });
  const batch = await batches.create({
    input_file_id: file.id,
    endpoint: "/v1/embeddings",
    completion_window: "24h",
  });
  const response = await suite.gateway.sendJson(
    "/v1/images/generations",
    { model: "i", prompt: "a fox" },
    { headers: { authorization: `Bearer ${key}`, prefer: "respond-async" } },
  );
  const job = (await response.json()) as Schemas["Job"];
  return [`/v1/files/${file.id}`, `/v1/batches/${batch.id}`, `/v1/jobs/${job.id}`];
}

async function viewsOf(path: string): Promise<Readonly<Record<Name, Views>>> {
  const views = Object.entries(keys).map(async ([name, { value }]) => [name, await look(path, value)]);
  return Object.fromEntries(await Promise.all(views));
}

async function look(path: string, key: string): Promise<Views> {
  const headers = { authorization: `Bearer ${key}` };
  const { status } = await suite.gateway.send(path, { headers });
  const [, list = "", id = ""] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
  const page = (await (await suite.gateway.send(list, { headers })).json()) as { data: { id: string }[] };
  return { retrieve: status, listed: page.data.some((one) => one.id === id) };
}

function clientOf(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${suite.gateway.url}/v1` });
}
