import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { createNoise } from "../../fake-upstream/sample-images.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { testConfig, testEnvironment, testKey } from "../../gateway/test-gateway.js";
import { canMount, mountSmallDisk, reportUnmountable, type SmallDisk } from "./small-disk.js";

const mebibyte = 1024 * 1024;
const isMountable = canMount();
if (!isMountable) reportUnmountable("a gateway on a full disk");

describe.skipIf(!isMountable)("a gateway on a full disk", () => {
  let upstream: FakeUpstream;
  let disk: SmallDisk;
  let home: GatewayFolder;
  let image: Buffer;
  let largeImage: Buffer;

  beforeEach(async () => {
    image = await createNoise(1000);
    largeImage = await createNoise(2 * mebibyte);
    upstream = await startFakeUpstream();
    disk = mountSmallDisk(24 * mebibyte);
    home = new GatewayFolder(
      `${testConfig.replace("./data", `${disk.folder}/data`)}
limits: { diskReserveBytes: ${mebibyte}, uploadsBytesMax: ${mebibyte} }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: text }] }
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }`,
      testEnvironment,
    );
  });
  afterEach(async () => {
    await home.remove();
    await upstream.close();
    disk.remove();
  });

  const requests = (gateway: BuiltGateway, key = testKey) => {
    const headers = { authorization: `Bearer ${key}` };
    const post = (path: string, body: object) => outcome(gateway.sendJson(path, body, { headers }));
    const edit = (content: Buffer) => {
      const body = new FormData();
      body.append("model", "image");
      body.append("prompt", "a fox");
      body.append("image", new Blob([new Uint8Array(content)], { type: "image/png" }), "a.png");
      return outcome(gateway.send("/v1/images/edits", { method: "POST", body, headers }));
    };
    const upload = () => {
      const body = new FormData();
      body.append("purpose", "batch");
      body.append("file", new Blob(["{}\n"]), "a.jsonl");
      return outcome(gateway.send("/v1/files", { method: "POST", body, headers }));
    };
    const images = [{ image_url: `data:image/png;base64,${image.toString("base64")}` }];
    return {
      embedding: () => post("/v1/embeddings", { model: "text", input: "a" }),
      base64: () => post("/v1/images/generations", { model: "image", prompt: "a fox" }),
      url: () => post("/v1/images/generations", { model: "image", prompt: "a fox", response_format: "url" }),
      jsonEdit: () => post("/v1/images/edits", { model: "image", prompt: "a fox", images }),
      formEdit: () => edit(image),
      largeEdit: () => edit(largeImage),
      upload,
    };
  };
  const all = async (gateway: BuiltGateway, key?: string) => {
    const outcomes: Record<string, string> = {};
    for (const [name, send] of Object.entries(requests(gateway, key))) outcomes[name] = await send();
    return outcomes;
  };
  const served = {
    embedding: "200",
    base64: "200",
    url: "200",
    jsonEdit: "200",
    formEdit: "200",
    largeEdit: "200",
    upload: "200",
  };
  const refused = "503 storage_full, retry after 10 s";

  test("warns before, refuses requests that need the disk before they are billed, and serves the rest", async () => {
    const gateway = await home.start();
    const admin = new AdminClient(gateway.url);
    const key = await admin.createKey({ name: "stored" });
    expect(await all(gateway, key.value)).toEqual(served);
    expect(await diskState(gateway)).toBe("ok");

    disk.fill(4 * mebibyte);
    await expect.poll(() => diskState(gateway)).toBe("low");
    expect(await all(gateway, key.value)).toEqual(served);
    disk.fill(0);
    await expect.poll(() => diskState(gateway)).toBe("full");
    const before = upstream.seen().requests;
    const during = await all(gateway, key.value);
    const bought = upstream.seen().requests - before;
    const ready = await fetch(`${gateway.url}/readyz`);
    const metrics = await (await admin.send("/metrics")).text();

    expect(during).toEqual({ ...served, url: refused, largeEdit: refused, upload: refused });
    expect(bought).toBe(4);
    expect(ready.status).toBe(200);
    expect(Number(/^gateway_disk_free_bytes (\d+)$/m.exec(metrics)?.[1])).toBeLessThan(mebibyte);
    expect(metrics).toMatch(/^gateway_ledger_dropped_total 0$/m);
    disk.free();

    await expect.poll(() => diskState(gateway)).toBe("ok");
    expect(await all(gateway, key.value)).toEqual(served);
    await admin.untilShipped();
    // Four times six requests for models; a refused request has a row as well.
    expect(await admin.rowsOnce(24)).toHaveLength(24);
    await expect
      .poll(() => messages(gateway))
      .toEqual([
        "The disk of the data folder will be full soon. Free some space.",
        "The disk of the data folder is full. Large files, images as links and images with an Idempotency-Key are refused until there is room.",
        "The disk of the data folder has room again.",
      ]);
  });

  test.each(["SIGTERM", "SIGKILL"] as const)("starts again after %s and serves", async (signal) => {
    const first = await home.start();
    const key = await new AdminClient(first.url).createKey({ name: "stored" });
    expect(await all(first, key.value)).toEqual(served);
    disk.fill(0);
    first.process.kill(signal);
    await first.exit;
    disk.fill(0);

    const second = await home.start();
    const configured = await all(second);
    const stored = await requests(second, key.value).embedding();

    expect(configured).toEqual({ ...served, url: refused, largeEdit: refused, upload: refused });
    expect(stored).toBe("200");
    disk.free();
    await expect.poll(() => all(second, key.value)).toEqual(served);
  });

  test("starts without its SQLite file if there is no room to open it, and opens it later", async () => {
    const first = await home.start();
    const key = await new AdminClient(first.url).createKey({ name: "stored" });
    await first.stop();
    rmSync(join(disk.folder, "data", "disk-headroom"));
    disk.fill(0);

    const second = await home.start();
    const during = [await requests(second).embedding(), await requests(second, key.value).embedding()];
    disk.free();

    expect(during).toEqual(["200", "503 storage_unavailable, retry after 1 s"]);
    await expect.poll(() => requests(second, key.value).embedding()).toBe("200");
    await new AdminClient(second.url).untilShipped();
  });

  test("does not start for the first time, and says why", async () => {
    disk.fill(0);

    const gateway = home.launch();

    expect(await gateway.exit).toBe(1);
    expect(gateway.stderr()).toMatch(
      /^The disk is full, so the gateway cannot create the files that it needs\. Free some space, .*\n$/,
    );
    expect(gateway.stdout()).not.toContain("\\n    at ");
  });
});

/** The status, and of an error its code and when to retry. */
async function outcome(sent: Promise<Response>): Promise<string> {
  const response = await sent;
  const { error } = (await response.json()) as { error?: { code: string } };
  if (error === undefined) return String(response.status);
  return `${response.status} ${error.code}, retry after ${response.headers.get("retry-after")} s`;
}

async function diskState(gateway: BuiltGateway): Promise<string> {
  const response = await fetch(`${gateway.url}/readyz?verbose`);
  return ((await response.json()) as { storage: { disk: string } }).storage.disk;
}

function messages({ logLines }: BuiltGateway): string[] {
  return logLines.flatMap((line) => /The disk of the data folder [^"]*/.exec(line)?.[0] ?? []);
}
