import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { createNoise } from "../../fake-upstream/sample-images.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { rawRequest } from "../malformed/malformed-case.js";
import { asked, boundary, encode, file } from "../malformed/write-form.js";

const unavailable = {
  faults: [{ kind: "reply", status: 503, headers: { "retry-after": "1" }, body: {} }],
} as const;

let first: Buffer;
let second: Buffer;

beforeAll(async () => {
  [first, second] = await Promise.all([createNoise(300_000), createNoise(400_000)]);
});

describe.each([
  { where: "in memory", uploadsBytesMax: 64 * 1024 * 1024 },
  { where: "on disk", uploadsBytesMax: 1 },
])("uploads $where", ({ uploadsBytesMax }) => {
  let upstream: FakeUpstream;
  let gateway: InProcessGateway;

  beforeEach(async () => {
    upstream = await startFakeUpstream();
    gateway = await startGateway(`
limits: { uploadsBytesMax: ${uploadsBytesMax} }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] } }`);
  });
  afterEach(async () => {
    await gateway.stop();
    await upstream.close();
  });

  const edit = (images: readonly Buffer[], headers: Readonly<Record<string, string>> = {}) => {
    const body = new FormData();
    body.append("model", "image");
    body.append("prompt", "a fox");
    for (const image of images) body.append("image[]", new Blob([new Uint8Array(image)]), "a.png");
    return gateway.send("/v1/images/edits", { method: "POST", body, headers });
  };
  const receivedImages = () =>
    upstream.received.map(({ parts }) =>
      parts.filter(({ filename }) => filename !== undefined).map(({ content }) => content),
    );
  const untilNothingIsHeld = async () => {
    await expect.poll(gateway.spooled).toEqual([]);
    await expect.poll(uploadMemory).toBe("0");
  };
  const uploadMemory = async () => {
    const headers = { authorization: `Bearer ${testAdminKey}` };
    const metrics = await (await fetch(`${gateway.url}/metrics`, { headers })).text();
    return /^gateway_upload_memory_bytes (\d+)$/m.exec(metrics)?.[1];
  };

  test("are sent again with the same bytes, and released after the last attempt", async () => {
    upstream.follow({ next: [unavailable] });

    const response = await edit([first, second]);

    expect(response.status).toBe(200);
    const received = receivedImages();
    expect(received).toHaveLength(2);
    for (const images of received) {
      expect(images.map(({ length }) => length)).toEqual([first.length, second.length]);
      expect(images[0]?.equals(first) && images[1]?.equals(second)).toBe(true);
    }
    await untilNothingIsHeld();
  });

  test("are compared by their bytes under one Idempotency-Key", async () => {
    const headers = { "idempotency-key": "one" };

    const statuses = [
      (await edit([first], headers)).status,
      (await edit([first], headers)).status,
      (await edit([second], headers)).status,
    ];

    expect(statuses).toEqual([200, 200, 409]);
    expect(receivedImages()).toHaveLength(1);
    await untilNothingIsHeld();
  });

  test("of two requests in a row on one connection do not mix", async () => {
    const requestWith = (image: Buffer, connection: string) =>
      rawRequest({
        path: "/v1/images/edits",
        headers: { "content-type": `multipart/form-data; boundary=${boundary}`, connection },
        body: encode([...asked, file("image", image)]),
      });
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    socket.write(Buffer.concat([requestWith(first, "keep-alive"), requestWith(second, "close")]));

    const responses = await readText(socket);

    expect(responses.match(/HTTP\/1.1 200/g)).toHaveLength(2);
    const received = receivedImages().map(([image]) => image?.length === first.length);
    expect(received.sort()).toEqual([false, true]);
    for (const [image] of receivedImages())
      expect(image?.equals(image.length === first.length ? first : second)).toBe(true);
    await untilNothingIsHeld();
  });
});
