import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import {
  type FakeUpstream,
  startFakeUpstream,
} from "../../../../gateway/test/fake-upstream/fake-upstream.mjs";
import { type BuiltGateway, startBuiltGateway } from "../../../../gateway/test/gateway/built.js";
import { ConsolePage } from "../console-page.js";

const secret = "sk-typed-into-the-console-0123456789";

let upstream: FakeUpstream;
let gateway: BuiltGateway;
let site: ConsolePage;

describeInBrowser("an upstream from the console", () => {
  beforeAll(async () => {
    upstream = await startFakeUpstream({ script: { always: { width: 32 }, listed: ["tiny-embed", "chat"] } });
    gateway = await startBuiltGateway(
      `
# The first upstream.
upstreams:
  here:
    provider: local # Needs no key.

models:
  # Small and fast.
  gte-small:
    type: embedding
    targets:
      - { upstream: here, model: gte-small }
`,
      { flags: ["--log", "text"] },
    );
    site = await ConsolePage.open(`${gateway.url}/console/`);
  });
  afterAll(async () => {
    await site.close();
    await gateway.stop();
    await upstream.close();
  });

  test("from the link of the terminal it is added with a model, answers in the playground, and the file has only new lines", async () => {
    const { page } = site;
    const before = configuration();
    await site.arrive(/#code=mg_code_\w+/.exec(gateway.stdout())?.[0]);
    await site.loaded("Overview");
    await site.choose("Upstreams");
    await page.getByRole("link", { name: "Add upstream" }).click();
    await page.getByLabel("Find a provider").fill("compatible");
    await page.getByRole("link", { name: /openai-compatible/ }).click();
    await page.getByLabel("Name").fill("studio");
    await page.getByLabel("Base URL").fill(upstream.baseUrl);
    await page.getByLabel("API key").fill(secret);
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText(/it lists 2 models/).waitFor();

    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("tiny-embed").check();
    await page.getByRole("button", { name: "Try it tiny-embed" }).click();
    await page.getByText(/its vectors are 32 wide/).waitFor();
    await page.getByLabel("Id for callers").fill("tiny");
    await page.getByRole("button", { name: "Review" }).click();
    const diff = page.getByRole("region", { name: /^The change to/ });
    await diff.waitFor();
    expect(await diff.textContent()).not.toContain(secret);
    const stored = join(gateway.dataDir, "secrets", "STUDIO_API_KEY");
    await page.getByText(`The key that you typed will be in the file ${stored}, as plain text`).waitFor();
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("studio is added.").waitFor();
    await page.getByText(`The key that you typed is in the file ${stored}, as plain text`).waitFor();
    expect(readFileSync(stored, "utf8")).toBe(`${secret}\n`);

    expect(addedTo(before, configuration())).toEqual([
      "  studio:",
      "    provider: openai-compatible",
      `    baseUrl: ${upstream.baseUrl}`,
      "    apiKey: ${STUDIO_API_KEY}",
      "  tiny:",
      "    type: embedding",
      "    dimensions: 32",
      "    targets:",
      "      - { upstream: studio, model: tiny-embed }",
    ]);

    await page.getByRole("link", { name: "Try it in the playground tiny" }).click();
    await page.getByRole("button", { name: "Embed", exact: true }).click();
    await page.locator(".matrix").waitFor();
    expect(upstream.received.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(site.complaints()).toEqual([]);
  });

  test("the key is in no address, no storage of the browser, no log and no configuration", async () => {
    const kept = await site.page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");

    expect(site.addresses.filter((address) => address.includes(secret))).toEqual([]);
    expect(kept).not.toContain(secret);
    expect(gateway.stdout()).not.toContain(secret);
    expect(configuration().join("\n")).not.toContain(secret);
  });
});

function configuration(): string[] {
  return readFileSync(join(dirname(gateway.dataDir), "gateway.yaml"), "utf8").split("\n");
}

/** The lines of a text that has all lines of another, in their order. Fails if one is missing. */
function addedTo(before: readonly string[], after: readonly string[]): string[] {
  const kept = [...before];
  const added = after.filter((line) => kept[0] !== line || kept.shift() === undefined);
  expect(kept).toEqual([]);
  return added;
}
