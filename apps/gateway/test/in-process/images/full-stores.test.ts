import { readdirSync, statSync, truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { Schemas } from "@model-gateway/domain/operations";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { InProcessFolder, type InProcessGateway } from "../../gateway/in-process.js";
import { testConfig, testEnvironment } from "../../gateway/test-gateway.js";

/** Stores of the data folder that one key fills several times over: another key keeps what it has paid for. */
const imageBytes = 100_000;
/** As small as it can be. Ten large images of a key fill it but for less than one more request. */
const storeBytesMax = 256 * 1024 * 1024;
const largeBytes = 26_800_000;
const idempotencyBytesMax = 400_000;

let upstream: FakeUpstream;
let folder: InProcessFolder;
let gateway: InProcessGateway;
let modest: string;
let greedy: string;

beforeEach(async () => {
  upstream = await startFakeUpstream({ script: { always: { images: imageBytes } } });
  folder = new InProcessFolder(
    `${testConfig}
limits: { idempotencyBytesMax: ${idempotencyBytesMax} }
images: { storeBytesMax: ${storeBytesMax} }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { free: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: free }] } }`,
    testEnvironment,
  );
  gateway = await folder.start();
  const admin = new AdminClient(gateway.url);
  ({ value: modest } = await admin.createKey({ name: "modest" }));
  ({ value: greedy } = await admin.createKey({ name: "greedy" }));
});
afterEach(async () => {
  await folder.remove();
  await upstream.close();
});

async function createImages(
  key: string,
  fields: object,
  idempotencyKey: string,
): Promise<{ readonly status: number; readonly isReplayed: boolean; readonly urls: readonly string[] }> {
  const response = await gateway.sendJson(
    "/v1/images/generations",
    { model: "free", prompt: "a fox", ...fields },
    { headers: { authorization: `Bearer ${key}`, "idempotency-key": idempotencyKey } },
  );
  const { data = [] } = (await response.json()) as Partial<Schemas["ImagesResponse"]>;
  return {
    status: response.status,
    isReplayed: response.headers.get("idempotent-replayed") === "true",
    urls: data.flatMap(({ url }) => url ?? []),
  };
}

async function openLinks(urls: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const url of urls) {
    const { pathname, search } = new URL(url);
    const response = await gateway.send(pathname + search);
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
}

/** Makes the images that are there ten large ones, without writing their bytes. */
function enlarge(names: readonly string[]): void {
  for (const name of names) {
    const path = join(gateway.dataDir, "images", name);
    const { atime, mtime } = statSync(path);
    truncateSync(path, largeBytes);
    utimesSync(path, atime, mtime);
  }
}

test("links and stored responses of a modest key stay while a greedy one fills both stores", async () => {
  const bought = await createImages(modest, { n: 2, response_format: "url" }, "order");
  const ofModest = readdirSync(join(gateway.dataDir, "images"));
  const large = await createImages(greedy, { n: 10, response_format: "url" }, "large");
  enlarge(readdirSync(join(gateway.dataDir, "images")).filter((name) => !ofModest.includes(name)));
  await gateway.stop();
  gateway = await folder.start();

  // Ten times what the store of responses holds.
  for (let number = 0; number < 30; number += 1) await createImages(greedy, {}, `text ${number}`);
  for (let number = 0; number < 8; number += 1)
    await createImages(greedy, { response_format: "url" }, `link ${number}`);
  const paid = upstream.seen().requests;
  const again = await createImages(modest, { n: 2, response_format: "url" }, "order");

  expect({ ...again, links: await openLinks(bought.urls) }).toEqual({
    status: 200,
    isReplayed: true,
    urls: bought.urls,
    links: [200, 200],
  });
  expect(upstream.seen().requests).toBe(paid);
  // Something of the greedy key has gone instead.
  expect(await openLinks(large.urls)).toContain(410);
  expect((await createImages(greedy, {}, "text 0")).status).toBe(409);
});
