import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { APIError, toFile } from "openai";
import { expect, onTestFinished, test } from "vitest";
import { testAdminKey } from "../../../gateway/test-gateway.js";
import { collect } from "./collect.js";
import { clientOf, embeddedGateway } from "./gateways.js";

const embedded = embeddedGateway();
const line = `${JSON.stringify({ custom_id: "one", method: "POST", url: "/v1/embeddings", body: { model: "gte-small", input: "a" } })}\n`;

test("files.create, retrieve, content, list and delete work unchanged", async () => {
  const { files } = embedded.client;
  const folder = mkdtempSync(join(tmpdir(), "openai-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "requests.jsonl"), line.repeat(1000));

  const created = await files.create({
    file: createReadStream(join(folder, "requests.jsonl")),
    purpose: "batch",
    expires_after: { anchor: "created_at", seconds: 3600 },
  });
  const retrieved = await files.retrieve(created.id);
  const content = await files.content(created.id);
  const listed = await collect(files.list({ purpose: "batch", order: "asc", limit: 1 }));
  const deleted = await files.delete(created.id);

  expect(created).toMatchObject({
    id: expect.stringMatching(/^file-/),
    object: "file",
    bytes: line.length * 1000,
    filename: "requests.jsonl",
    purpose: "batch",
    status: "processed",
    expires_at: created.created_at + 3600,
  });
  expect(retrieved).toMatchObject({ id: created.id, bytes: created.bytes });
  expect(await content.text()).toBe(line.repeat(1000));
  expect(listed).toMatchObject([{ id: created.id }]);
  expect(deleted).toMatchObject({ id: created.id, object: "file", deleted: true });
  await expect(files.retrieve(created.id)).rejects.toMatchObject({ status: 404, code: "file_not_found" });
});

test("a loop that deletes each file sees all pages", async () => {
  const { files } = embedded.client;
  for (let count = 0; count < 5; count += 1)
    await files.create({ file: await toFile(Buffer.from(line), `${count}.jsonl`), purpose: "batch" });

  const names: string[] = [];
  for await (const { id, filename } of files.list({ limit: 2 })) {
    names.push(filename);
    await files.delete(id);
  }

  expect(names.sort()).toEqual(["0.jsonl", "1.jsonl", "2.jsonl", "3.jsonl", "4.jsonl"]);
  expect(await collect(files.list())).toEqual([]);
});

test("a file of another type and another key's file are clear errors", async () => {
  const { files } = embedded.client;
  const file = await files.create({ file: await toFile(Buffer.from(line), "a.jsonl"), purpose: "batch" });
  const headers = { authorization: `Bearer ${testAdminKey}` };
  const key = await embedded.gateway.sendJson("/admin/v1/keys", { name: "other" }, { headers });
  const other = clientOf(embedded.gateway, ((await key.json()) as { value: string }).value);

  const wrong = files.create({ file: await toFile(Buffer.from(line), "a.txt"), purpose: "batch" });

  await expect(wrong).rejects.toThrow(APIError);
  await expect(wrong).rejects.toMatchObject({
    status: 400,
    message: "400 Invalid file format for Batch API. Must be .jsonl",
  });
  await expect(other.files.content(file.id)).rejects.toMatchObject({ status: 404, code: "file_not_found" });
  await expect(other.files.delete(file.id)).rejects.toMatchObject({ status: 404 });
  expect(await (await clientOf(embedded.gateway, testAdminKey).files.content(file.id)).text()).toBe(line);
});
