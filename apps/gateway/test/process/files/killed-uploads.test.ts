import { readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { testConfig, testEnvironment, testKey } from "../../gateway/test-gateway.js";

const home = new GatewayFolder(`${testConfig}upstreams: {}\nmodels: {}\n`, testEnvironment);
let gateway: BuiltGateway;
beforeAll(async () => {
  gateway = await home.start();
});
afterAll(() => home.remove());

const stored = () => readdirSync(join(home.folder, "data", "files")).sort();

test("a gateway that is killed during an upload leaves no bytes, and keeps complete files", async () => {
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("file", new Blob(["one\n"]), "one.jsonl");
  const kept = (await (await gateway.send("/v1/files", { method: "POST", body: form })).json()) as {
    id: string;
  };
  const headers = { authorization: `Bearer ${testKey}`, "content-type": "multipart/form-data; boundary=b" };
  const sending = request(`${gateway.url}/v1/files`, { method: "POST", headers });
  sending.on("error", () => undefined);
  sending.write('--b\r\ncontent-disposition: form-data; name="file"; filename="two.jsonl"\r\n\r\n');
  sending.write(Buffer.alloc(3_000_000, "a"));
  await expect.poll(() => stored().length).toBe(2);

  await gateway.kill();
  expect(stored()).toHaveLength(2);
  gateway = await home.start();

  expect(stored()).toEqual([kept.id]);
  const content = await gateway.send(`/v1/files/${kept.id}/content`);
  expect(await content.text()).toBe("one\n");
  const list = (await (await gateway.send("/v1/files")).json()) as { data: { id: string }[] };
  expect(list.data.map(({ id }) => id)).toEqual([kept.id]);
});
