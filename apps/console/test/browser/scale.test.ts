import { EventEmitter, once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../../docs/test/open-browser.js";
import { addKeys } from "../../../gateway/test/gateway/add-keys.js";
import { type BuiltGateway, GatewayFolder } from "../../../gateway/test/gateway/built.js";
import { testAdminKey } from "../../../gateway/test/gateway/test-gateway.js";
import { ConsolePage } from "./console-page.js";

const manyModels = Array.from(
  { length: 500 },
  (_, index) => `  m-${index}: { type: embedding, targets: [{ upstream: gone, model: m-${index} }] }`,
).join("\n");

let folder: GatewayFolder;
let gateway: BuiltGateway;
let site: ConsolePage;

describeInBrowser("the console of a large gateway", () => {
  beforeAll(async () => {
    folder = new GatewayFolder(`
keys: [{ name: key 05000 of the file, key: file-key-0123456789 }]
upstreams: { gone: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" } }
models:
${manyModels}
`);
    await addKeys(folder.folder, 10_000);
    gateway = await folder.start({ PORT: "0" });
    site = await ConsolePage.open(`${gateway.url}/console/`);
    await site.signIn(testAdminKey, "#/keys");
  });
  afterAll(async () => {
    await site.close();
    await folder.remove();
  });

  test("with 10,000 keys the page shows some, sorts all of them, and loads more on request", async () => {
    await site.loaded("Keys");
    const rows = site.page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(50);

    await site.page.getByRole("button", { name: "Name", exact: true }).click();
    await expect.poll(() => rows.first().textContent()).toContain("key 09999");
    await site.page.getByRole("button", { name: /^Name/ }).click();
    await expect.poll(() => rows.first().textContent()).toContain("key 00000");
    await site.page.getByRole("button", { name: "More" }).click();

    await site.page.getByText(/^100 of 10,00\d keys shown$/).waitFor();
    await expect.poll(() => rows.last().textContent()).toContain("key 00099");
  });

  test("one of 10,000 keys is found by a part of its name, and opens", async () => {
    await site.page.goto(`${site.address}#/keys`);
    await site.page.getByLabel("Find").fill("07777");

    const rows = site.page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(1);
    await rows.first().click();
    await site.page.getByRole("dialog").getByText("key 07777").first().waitFor();
    await site.page.keyboard.press("Escape");
    await expect.poll(() => new URL(site.page.url()).hash).toBe("#/keys?search=07777");
  });

  test("one of 500 models is a filter of the requests, by the beginning of its id", async () => {
    // The list of models comes after the text is typed.
    const typed = new EventEmitter();
    let isTyped = false;
    await site.page.route("**/admin/v1/models", async (route) => {
      if (!isTyped) await once(typed, "end");
      await route.continue();
    });
    await site.page.goto("about:blank");
    await site.page.goto(`${site.address}#/requests`);
    const field = site.page.getByLabel("Model");

    await field.fill("m-");
    await field.press("Enter");
    isTyped = true;
    typed.emit("end");
    await site.page.getByText("500 begin with this").waitFor();
    await field.fill("M-498");
    await field.press("Enter");

    await expect.poll(() => new URL(site.page.url()).hash).toBe("#/requests?model=m-498");
    await site.page.getByLabel("Key", { exact: true }).fill("key 0777");
    await site.page.getByLabel("Key", { exact: true }).press("Enter");
    await site.page.getByText("10 begin with this").waitFor();
    await site.page.getByLabel("Key", { exact: true }).fill("key 07777");
    await site.page.getByLabel("Key", { exact: true }).press("Enter");
    await expect.poll(() => new URL(site.page.url()).hash).toMatch(/^#\/requests\?model=m-498&key=key_/);
  });

  test("of 500 models the page shows some, and the search finds the others", async () => {
    await site.choose("Models");
    await site.page.getByText("The first 60 of 500 models.").waitFor();

    await site.page.getByLabel("Find").fill("m-499");

    await expect.poll(() => site.page.getByRole("article").count()).toBe(1);
    await expect.poll(() => new URL(site.page.url()).hash).toBe("#/models?search=m-499");
    expect(site.complaints()).toEqual([]);
  });
});
