import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser, openBrowser, type WatchedPage } from "../../docs/test/open-browser.js";
import { readSpec } from "../src/http/request/spec.js";
import { type InProcessGateway, startGateway } from "./gateway/in-process.js";

interface Operation {
  readonly operationId?: string;
  readonly summary: string;
  readonly tags: readonly [string];
}

const operations = Object.values(readSpec().paths ?? {})
  .flatMap((path) => Object.values(path as Record<string, Operation>))
  .filter(({ operationId }) => operationId !== undefined);

let gateway: InProcessGateway;
let watched: WatchedPage;
describeInBrowser("the reference site that the gateway serves", () => {
  beforeAll(async () => {
    gateway = await startGateway(`
upstreams: { gone: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" } }
models: { any: { type: image, targets: [{ upstream: gone, model: any }] } }
`);
    // Its browser can reach this machine only.
    watched = await openBrowser();
    await watched.page.goto(`${gateway.url}/docs`);
  });
  afterAll(async () => {
    await watched.browser.close();
    await gateway.stop();
  });

  test("/docs leads to /docs/", () => {
    expect(new URL(watched.page.url()).pathname).toBe("/docs/");
  });

  test.each(operations)("shows $operationId", async ({ operationId, summary, tags }) => {
    const { page } = watched;
    const address = `/${tags[0]}/${operationId}`.toLowerCase();

    await page.goto(`${gateway.url}/docs/#${address}`);

    const heading = page.locator(`[data-section-id="${address}"]`).getByRole("heading", { name: summary });
    await expect.poll(() => heading.first().isVisible()).toBe(true);
  });

  test("sends no request to another host, keeps its policy and has no errors", () => {
    expect(operations.length).toBeGreaterThan(0);
    expect(watched.violations).toEqual([]);
  });
});
