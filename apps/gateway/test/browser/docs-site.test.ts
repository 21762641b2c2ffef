import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser, openBrowser, type WatchedPage } from "../../../docs/test/open-browser.js";
import { type FakeUpstream, startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../gateway/in-process.js";
import { testAdminKey, testKey } from "../gateway/test-gateway.js";

let upstream: FakeUpstream;
let gateway: InProcessGateway;
let watched: WatchedPage;
describeInBrowser("the site that the gateway serves", () => {
  beforeAll(async () => {
    upstream = await startFakeUpstream({ script: { always: { width: 32 } } });
    gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  gte-small: { type: embedding, targets: [{ upstream: fake, model: text-embedding-3-small }] }
  gpt-image-2: { type: image, targets: [{ upstream: fake, model: gpt-image-2 }] }
`);
    // Its browser can reach this machine only.
    watched = await openBrowser();
    // Only a hang takes this long.
    watched.page.setDefaultTimeout(120_000);
  });
  afterAll(async () => {
    await watched.close();
    await gateway.stop();
    await upstream.close();
  });

  test("/docs leads to /docs/, and the page says that the gateway is ready", async () => {
    await watched.page.goto(`${gateway.url}/docs`);

    expect(new URL(watched.page.url()).pathname).toBe("/docs/");
    await watched.page.getByText(`This gateway, ${gateway.url}, is ready.`).waitFor();
  });

  test("an operation can be tried with a caller's key, which stays in the tab", async () => {
    const { page } = watched;
    await openForm("createEmbedding");
    await page.getByLabel("Key", { exact: false }).first().fill(testKey);
    await page.getByRole("button", { name: "Send", exact: true }).click();

    await page.getByText("200 OK").waitFor();
    await expect
      .poll(() => page.locator(".result").textContent())
      .toMatch(/"object": "embedding"[\s\S]*32 numbers/);
    await expect.poll(() => page.locator(".result").textContent()).toMatch(/\d+ ms · x-request-id \S+/);
    expect(await page.evaluate("sessionStorage.getItem('model-gateway.try.caller')")).toBe(testKey);
    expect(await page.evaluate("JSON.stringify(localStorage)")).not.toContain(testKey);
  });

  test("an image is shown, and the key is remembered by the next page", async () => {
    const { page } = watched;
    await openForm("createImage");
    await page.locator("[data-part=json]").fill('{"model":"gpt-image-2","prompt":"a fox"}');
    await page.getByRole("button", { name: "Send", exact: true }).click();

    const image = page.getByRole("img", { name: "The image that the gateway returned" });
    await image.waitFor();
    await expect
      .poll(() => image.evaluate((shown) => (shown as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0);
  });

  test("a stream is shown event by event", async () => {
    const { page } = watched;
    await openForm("createImage");
    await page
      .locator("[data-part=json]")
      .fill('{"model":"gpt-image-2","prompt":"a fox","stream":true,"partial_images":1}');
    await page.getByRole("button", { name: "Send", exact: true }).click();

    await expect.poll(() => page.locator(".result").textContent()).toContain("image_generation.completed");
  });

  test("an error leads to the page of its code", async () => {
    const { page } = watched;
    await openForm("createEmbedding");
    await page.locator("[data-part=json]").fill('{"model":"gte-small"}');
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("link", { name: "missing_required_parameter" }).last().click();

    await page.getByRole("heading", { level: 1, name: "missing_required_parameter" }).waitFor();
  });

  test("the admin key has a separate slot, and can be forgotten", async () => {
    const { page } = watched;
    await openForm("listKeys");
    const key = page.getByLabel("Admin key", { exact: false });
    expect(await key.inputValue()).toBe("");
    await key.fill(testAdminKey);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("200 OK").waitFor();
    await page.getByRole("button", { name: "Forget the key" }).click();

    expect(await page.evaluate("sessionStorage.getItem('model-gateway.try.admin')")).toBeNull();
    expect(await page.evaluate("sessionStorage.getItem('model-gateway.try.caller')")).toBe(testKey);
  });

  test("the reference that Redocly builds opens under its own policy", async () => {
    const { page } = watched;
    await page.goto(`${gateway.url}/docs/reference/redoc/#/embeddings/createembedding`);

    await page
      .locator('[data-section-id="/embeddings/createembedding"]')
      .getByRole("heading")
      .first()
      .waitFor();
  });

  test("sends no request to another host, keeps its policy and has no errors", () => {
    // One of the tests asks for a response with an error.
    const provoked = /^(400 for|error: Failed to load resource: the server responded with a status of 400)/;

    expect(watched.violations.filter((violation) => !provoked.test(violation))).toEqual([]);
  });
});

async function openForm(operationId: string): Promise<void> {
  await watched.page.goto(`${gateway.url}/docs/reference/${operationId}/`);
  // The form's script has been loaded once this tab's key is in it.
  const loaded = watched.page.waitForResponse(/assets\/try-it-/).catch(() => undefined);
  await watched.page.getByText("on this gateway").click();
  await loaded;
}
