import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { S3Server } from "@model-gateway/object-store/test/s3-server";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { testConfig, testEnvironment } from "../../gateway/test-gateway.js";
import { describeServed, type OpenStage, openServers } from "../../servers/stages.js";

/** Large enough for its stored response to be in the bucket. */
const imageBytes = 200_000;

interface ImagesBody {
  readonly data: readonly { readonly url?: string; readonly b64_json?: string }[];
}
interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string };
}

describeServed("two replicas with a database, a Redis and a bucket", () => {
  let servers: OpenStage;
  let upstream: FakeUpstream;
  let bucket: S3Server;
  let homes: readonly GatewayFolder[];
  let one: BuiltGateway;
  let two: BuiltGateway;

  beforeAll(async () => {
    servers = await openServers();
    upstream = await startFakeUpstream({ script: { always: { images: imageBytes } } });
    bucket = await S3Server.start();
    homes = [createHome(), createHome()];
    [one, two] = (await Promise.all(homes.map((home) => home.start()))) as [BuiltGateway, BuiltGateway];
  });
  afterAll(async () => {
    await Promise.all(homes.map((home) => home.remove()));
    await bucket.stop();
    await upstream.close();
    await servers.close();
  });
  beforeEach(() => {
    upstream.received.length = 0;
  });
  afterEach(async () => {
    bucket.recover();
    await bucket.resume();
  });

  /** A separate folder: replicas share no disk. */
  function createHome(environment: Readonly<Record<string, string>> = {}): GatewayFolder {
    const { endpoint, bucket: name, region, prefix, accessKeyId, secretAccessKey } = bucket.settings;
    return new GatewayFolder(
      `${testConfig}
logLevel: info
images:
  store: s3
  endpoint: ${endpoint}
  bucket: ${name}
  region: ${region}
  prefix: ${prefix}
  accessKeyId: "\${S3_ACCESS_KEY_ID}"
  secretAccessKey: "\${S3_SECRET_ACCESS_KEY}"
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, targets: [{ upstream: fake, model: text }] }
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
`,
      {
        ...testEnvironment,
        ...servers.environment,
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secretAccessKey,
        ...environment,
      },
    );
  }

  const createImage = (
    gateway: BuiltGateway,
    form: "url" | "b64_json",
    headers: Record<string, string> = {},
  ) =>
    gateway.sendJson(
      "/v1/images/generations",
      { model: "image", prompt: "a fox", response_format: form },
      { headers },
    );
  const createLink = async (gateway: BuiltGateway): Promise<URL> => {
    const response = await createImage(gateway, "url");
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as ImagesBody;
    return new URL(data[0]?.url ?? "");
  };
  const follow = ({ pathname, search }: URL, gateway: BuiltGateway, init?: RequestInit) =>
    fetch(`${gateway.url}${pathname}${search}`, init);
  const statusAndCode = async (response: Response) => [
    response.status,
    ((await response.json()) as ErrorBody).error.code,
  ];

  test("a link that one made is served by the other, whole and in part", async () => {
    const link = await createLink(one);

    const [own, other] = [await follow(link, one), await follow(link, two)];
    const part = await follow(link, two, { headers: { range: "bytes=1-3" } });

    const content = Buffer.from(await own.arrayBuffer());
    expect([own.status, other.status, part.status]).toEqual([200, 200, 206]);
    expect(content.length).toBeGreaterThan(imageBytes);
    expect(Buffer.from(await other.arrayBuffer()).equals(content)).toBe(true);
    expect(await part.text()).toBe("PNG");
    expect(other.headers.get("content-type")).toBe("image/png");
  });

  test("a file that one received is read, listed and deleted by the other", async () => {
    const form = new FormData();
    form.append("purpose", "batch");
    form.append("file", new Blob(["0123456789\n"]), "a.jsonl");
    const upload = await one.send("/v1/files", { method: "POST", body: form });
    const { id } = (await upload.json()) as { id: string };
    const list = async () =>
      ((await (await two.send("/v1/files")).json()) as { data: { id: string }[] }).data.map(
        (file) => file.id,
      );

    const content = await two.send(`/v1/files/${id}/content`, { headers: { range: "bytes=3-5" } });
    const before = await list();
    const deleted = await two.send(`/v1/files/${id}`, { method: "DELETE" });

    expect([upload.status, content.status, await content.text()]).toEqual([200, 206, "345"]);
    expect(before).toEqual([id]);
    expect(deleted.status).toBe(200);
    expect([...bucket.objects.keys()].filter((key) => key.includes("/files/"))).toEqual([]);
    expect((await one.send(`/v1/files/${id}`)).status).toBe(404);
  });

  test.each(["url", "b64_json"] as const)(
    "a %s response that one stored is replayed by the other",
    async (form) => {
      const headers = { "idempotency-key": `order-${form}` };

      const first = await createImage(one, form, headers);
      const again = await createImage(two, form, headers);

      expect([first.status, again.status, again.headers.get("idempotent-replayed")]).toEqual([
        200,
        200,
        "true",
      ]);
      expect(await again.json()).toEqual(await first.json());
      expect(upstream.received).toHaveLength(1);
      const stored = [...bucket.objects.keys()].filter((key) => key.includes("/responses/"));
      // The response with a link is small, and stays in the database.
      expect(stored).toHaveLength(form === "url" ? 0 : 1);
    },
  );

  test("while the bucket is down, requests that need it get a 503 before an image is bought, and all else works", async () => {
    const link = await createLink(one);
    const headers = { "idempotency-key": "before-the-outage" };
    await createImage(one, "b64_json", headers);
    upstream.received.length = 0;
    await bucket.stop();
    // An upload that succeeded a moment ago is trusted for a while.
    await expect.poll(async () => (await createImage(one, "url")).status, { timeout: 60_000 }).toBe(503);
    const bought = upstream.received.length;

    const refused = await createImage(one, "url");
    expect(await statusAndCode(refused)).toEqual([503, "image_store_unavailable"]);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("x-should-retry")).toBeNull();
    expect(await statusAndCode(await follow(link, two))).toEqual([503, "image_store_unavailable"]);
    // It exists, so it is not bought a second time.
    expect(await statusAndCode(await createImage(two, "b64_json", headers))).toEqual([
      503,
      "image_store_unavailable",
    ]);
    expect(upstream.received).toHaveLength(bought);

    const working = [
      await createImage(one, "b64_json"),
      await createImage(one, "b64_json", { "idempotency-key": "during-the-outage" }),
      await two.sendJson("/v1/embeddings", { model: "text", input: "a" }),
      await fetch(`${two.url}/readyz`),
    ];
    expect(working.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // The database keeps responses that the bucket does not take, so they are not bought a second time.
    const boughtInOutage = upstream.received.length;
    const repeated = await createImage(two, "b64_json", { "idempotency-key": "during-the-outage" });
    expect([repeated.status, repeated.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect(upstream.received).toHaveLength(boughtInOutage);

    await bucket.resume();
    await expect.poll(async () => (await createImage(one, "url")).status, { timeout: 60_000 }).toBe(200);
    expect((await follow(link, two)).status).toBe(200);
    const replays = [
      await createImage(two, "b64_json", headers),
      await createImage(two, "b64_json", { "idempotency-key": "during-the-outage" }),
    ];
    expect(replays.map((replay) => replay.headers.get("idempotent-replayed"))).toEqual(["true", "true"]);
  });

  test("an image that was bought when the bucket broke reaches its caller, and later every replica", async () => {
    const waiting = () => readdir(join(one.dataDir, "image-uploads"));
    await createLink(one);
    // Those of an earlier outage have gone.
    await expect.poll(waiting, { timeout: 60_000 }).toEqual([]);
    bucket.fail("slow-down", { concerning: /^PUT .*\/images\// });

    const link = await createLink(one);

    expect((await follow(link, one)).status).toBe(200);
    expect(await waiting()).toHaveLength(1);
    expect(await statusAndCode(await follow(link, two))).toEqual([503, "image_store_unavailable"]);
    bucket.recover();
    await expect.poll(waiting, { timeout: 60_000 }).toEqual([]);
    expect((await follow(link, two)).status).toBe(200);
    expect((await follow(link, one)).status).toBe(200);
  });

  test("a download that breaks off is not taken for a whole image", async () => {
    const link = await createLink(one);
    bucket.fail("cut", { concerning: /^GET / });

    const response = await follow(link, two);

    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  test("with wrong credentials the gateway starts, says so at once, and exposes no secret", async () => {
    const home = createHome({ S3_SECRET_ACCESS_KEY: "a-wrong-and-hidden-secret" });
    try {
      const gateway = await home.start();
      await expect.poll(() => gateway.stdout()).toContain("The bucket cannot be written.");

      const refused = await createImage(gateway, "url");
      const fine = await createImage(gateway, "b64_json");

      expect(await statusAndCode(refused)).toEqual([503, "image_store_unavailable"]);
      expect(fine.status).toBe(200);
      expect(gateway.stdout()).toContain("SignatureDoesNotMatch");
      expect(home.output).not.toContain("hidden");
      expect(await gateway.stop()).toBe(0);
    } finally {
      await home.remove();
    }
  });
});
