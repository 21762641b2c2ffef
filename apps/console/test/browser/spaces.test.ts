import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../../docs/test/open-browser.js";
import { type FakeUpstream, startFakeUpstream } from "../../../gateway/test/fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../../gateway/test/gateway/admin-client.js";
import { type BuiltGateway, startBuiltGateway } from "../../../gateway/test/gateway/built.js";
import { testAdminKey } from "../../../gateway/test/gateway/test-gateway.js";
import { type ModelServer, startModelServer, width } from "../../../gateway/test/servers/model-server.js";
import { ConsolePage } from "./console-page.js";

let servers: readonly ModelServer[];
let fake: FakeUpstream;
let gateway: BuiltGateway;
let site: ConsolePage;

describeInBrowser("vector spaces in the console", () => {
  beforeAll(async () => {
    servers = await Promise.all([startModelServer("v1"), startModelServer("v2"), startModelServer("v3")]);
    fake = await startFakeUpstream({ script: { always: { width: 1536 } } });
    const [one, two, three] = servers.map(
      ({ baseUrl }) => `{ provider: openai-compatible, baseUrl: "${baseUrl}" }`,
    );
    gateway = await startBuiltGateway(`
drift: { action: exclude }
upstreams:
  one: ${one}
  two: ${two}
  three: ${three}
  fake: { provider: openai-compatible, baseUrl: "${fake.baseUrl}" }
models:
  m: { type: embedding, dimensions: ${width}, shadow: { model: next, percent: 100 }, targets: [{ upstream: one, model: m }, { upstream: two, model: m }] }
  next: { type: embedding, dimensions: ${width}, cache: { ttl: 1d }, targets: [{ upstream: three, model: next }] }
  wide: { type: embedding, targets: [{ upstream: fake, model: wide }] }
  frail: { type: embedding, targets: [{ upstream: fake, model: frail }] }
`);
    site = await ConsolePage.open(`${gateway.url}/console/`);
  });
  afterAll(async () => {
    await site.close();
    await gateway.stop();
    await Promise.all([...servers, fake].map((server) => server.close()));
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
    await site.page.getByRole("link", { name: "Compare targets of m", exact: true }).click();
    await expect.poll(() => site.page.getByLabel("Model to examine").inputValue()).toBe("m");
    expect(site.complaints()).toEqual([]);
  });

  test("500 texts become a heat map, numbered dots and neighbours", async () => {
    await site.signIn(testAdminKey, "#/embeddings?model=wide");
    const texts = Array.from({ length: 500 }, (_, at) => (at === 499 ? "text 7" : `text ${at}`));
    await site.page.getByLabel("One text a line").fill(texts.join("\n"));
    await site.page.getByRole("button", { name: "Embed" }).click();

    await expect.poll(() => site.page.getByRole("option", { name: /^\d+: text/ }).count()).toBe(500);
    expect(await site.page.locator(".heat canvas").evaluate((canvas) => canvas.getAttribute("width"))).toBe(
      "500",
    );
    await site.page.getByRole("row", { name: /^8 text 7\s*500 the same text 1\.0000/ }).waitFor();
    await site.page.getByLabel("Input", { exact: true }).selectOption({ label: "8 text 7" });
    const table = site.page.getByRole("table", { name: "Nearest neighbours of input 8" });
    await expect.poll(() => table.getByRole("row").nth(1).textContent()).toBe("500 text 71.0000");
    await site.page.getByRole("listbox", { name: "The inputs in two dimensions" }).focus();
    await site.page.keyboard.press("End");
    await site.page.getByRole("table", { name: "Nearest neighbours of input 500" }).waitFor();
  });

  test("the strip of a target has the truth of an outage, and the rehearsal knows it", async () => {
    const send = () => gateway.sendJson("/v1/embeddings", { model: "frail", input: "once" });
    expect((await send()).status).toBe(200);
    await fake.follow({ always: { faults: [{ kind: "reply", status: 500 }] } });
    for (let call = 0; call < 6; call += 1) expect((await send()).status).toBeGreaterThanOrEqual(500);

    await site.signIn(testAdminKey, "#/upstreams");

    const row = site.page
      .getByRole("table", { name: "Targets of fake" })
      .getByRole("row", { name: /^frail/ });
    // The truth is what the upstream has received, without the gateway's checks of its vectors.
    const calls = fake.received.filter(
      ({ body }) => body.model === "frail" && (body.input as unknown[]).length === 1,
    ).length;
    await row.getByText("down", { exact: true }).waitFor();
    await row.getByText(`${calls - 1} of ${calls} calls failed`).waitFor();
    await row
      .getByRole("img", { name: /^The last 24 hours: .*(down|some failures) \d\d:\d\d to / })
      .waitFor();
    await site.page.getByLabel("one is down").check();
    await site.page.getByRole("row", { name: /^frail already down/ }).waitFor();
  });
});
