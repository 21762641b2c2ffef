import { afterAll, beforeAll, expect, test } from "vitest";
import { examine } from "../../../../docs/test/examine.js";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import { type BuiltGateway, GatewayFolder } from "../../../../gateway/test/gateway/built.js";
import { testAdminKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { ConsolePage } from "../console-page.js";

let folder: GatewayFolder;
let gateway: BuiltGateway;
let site: ConsolePage;

describeInBrowser("the first steps of a new gateway", () => {
  beforeAll(async () => {
    folder = new GatewayFolder(`
upstreams: { local: { provider: local } }
models: { gte-small: { type: embedding, targets: [{ upstream: local, model: gte-small }] } }
`);
    gateway = await folder.start();
    site = await ConsolePage.open(`${gateway.url}/console/`);
  });
  afterAll(async () => {
    await site.close();
    await folder.remove();
  });

  test("they begin with a request that works here", async () => {
    await site.signIn(testAdminKey);
    await step("Send the first request (to do)").waitFor();
    await step("Create a key (to do)").waitFor();
    await step("Add an upstream (to do)").waitFor();

    const sample = await site.page.getByRole("region", { name: "The first request" }).textContent();
    expect(sample).toContain(`curl ${gateway.url}/v1/embeddings`);
    expect(sample).toContain('"model": "gte-small"');
    expect(await examine(site.page)).toEqual([]);
  });

  test("they tick themselves off, and the list goes away when all are done", async () => {
    const { value } = await post("/admin/v1/keys", { name: "first" });
    await gateway.sendJson(
      "/v1/embeddings",
      { model: "gte-small", input: "a" },
      { headers: { authorization: `Bearer ${value}` } },
    );
    await step("Send the first request (done)").waitFor();
    await step("Create a key (done)").waitFor();
    await post("/admin/v1/configuration/changes", { upstreams: { studio: { provider: "ollama" } } });

    await expect.poll(() => panel().count()).toBe(0);
    await site.page.reload();
    await site.loaded("Overview");
    expect(await panel().count()).toBe(0);
  });

  test("they can be dismissed, for one browser", async () => {
    await post("/admin/v1/configuration/changes", { upstreams: { studio: null } });
    await site.page.evaluate("localStorage.clear()");
    await site.page.reload();
    await site.page.getByRole("button", { name: "Dismiss" }).click();
    await expect.poll(() => panel().count()).toBe(0);

    await site.page.reload();
    await site.loaded("Overview");
    expect(await panel().count()).toBe(0);
    expect(site.complaints()).toEqual([]);
  });
});

function panel() {
  return site.page.getByRole("region", { name: "First steps" });
}

function step(name: string) {
  return panel().getByRole("heading", { level: 3, name });
}

async function post(path: string, body: unknown): Promise<{ value: string }> {
  const response = await gateway.sendJson(path, body, {
    headers: { authorization: `Bearer ${testAdminKey}` },
  });
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as { value: string };
}
