import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../../docs/test/open-browser.js";
import { AdminClient } from "../../../gateway/test/gateway/admin-client.js";
import { type BuiltGateway, startBuiltGateway } from "../../../gateway/test/gateway/built.js";
import { testAdminKey } from "../../../gateway/test/gateway/test-gateway.js";
import { type ModelServer, startModelServer, width } from "../../../gateway/test/servers/model-server.js";
import { ConsolePage } from "./console-page.js";

let servers: readonly ModelServer[];
let gateway: BuiltGateway;
let site: ConsolePage;

describeInBrowser("vector spaces in the console", () => {
  beforeAll(async () => {
    servers = await Promise.all([startModelServer("v1"), startModelServer("v2"), startModelServer("v3")]);
    const [one, two, three] = servers.map(
      ({ baseUrl }) => `{ provider: openai-compatible, baseUrl: "${baseUrl}" }`,
    );
    gateway = await startBuiltGateway(`
drift: { action: exclude }
upstreams: { one: ${one}, two: ${two}, three: ${three} }
models:
  m: { type: embedding, dimensions: ${width}, shadow: { model: next, percent: 100 }, targets: [{ upstream: one, model: m }, { upstream: two, model: m }] }
  next: { type: embedding, dimensions: ${width}, cache: { ttl: 1d }, targets: [{ upstream: three, model: next }] }
`);
    site = await ConsolePage.open(`${gateway.url}/console/`);
  });
  afterAll(async () => {
    await site.close();
    await gateway.stop();
    await Promise.all(servers.map((server) => server.close()));
  });

  test("a drifted target is shown, and an operator accepts its vectors", async () => {
    await site.signIn(testAdminKey, "#/upstreams");

    const tableOf = (upstream: string) => site.page.getByRole("table", { name: `Targets of ${upstream}` });
    await tableOf("two").getByText("drifted").waitFor();
    await tableOf("two").getByText("It gets no requests.").waitFor();
    await site.page.getByRole("link", { name: "Accept vectors of two / m" }).click();
    await site.page.getByRole("dialog").getByRole("button", { name: "Accept", exact: true }).click();
    await site.page.getByRole("dialog").getByRole("status").waitFor();

    await expect
      .poll(() => site.page.getByRole("dialog").getByRole("status").textContent())
      .toMatch(/^The space of m is now [0-9a-f]{12}, revision accepted-1\.$/);
    await site.page.getByRole("dialog").getByText("Close", { exact: true }).click();
    await tableOf("two").getByText("healthy").waitFor();
    await tableOf("one").getByText("drifted").waitFor();
    expect(site.complaints()).toEqual([]);
  });

  test("a model with a shadow shows how full the cache of the next one is", async () => {
    const inputs = Array.from({ length: 16 }, (_, index) => `text ${index}`);
    await gateway.sendJson("/v1/embeddings", { model: "m", input: inputs });

    const admin = new AdminClient(gateway.url);
    await expect
      .poll(() => admin.metric("gateway_shadow_compared_total"))
      .toMatchObject({
        '{model="m",shadow="next"}': 16,
      });

    await site.signIn(testAdminKey, "#/models");

    const fact = site.page.getByRole("article", { name: "m", exact: true }).getByText(/^next, 100 %/);
    expect(await fact.textContent()).toMatch(
      /^next, 100 % of inputs; 16 embedded; \d+ % keep their nearest neighbour$/,
    );
    expect(site.complaints()).toEqual([]);
  });
});
