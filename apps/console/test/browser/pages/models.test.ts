import { expect, test } from "vitest";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import { testAdminKey, testKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "../suite-console.js";

const hostile = "<img src=x onerror=alert(1)>";

describeInBrowser("the page of models", () => {
  const suite = suiteConsole({
    config: (baseUrl) => `
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${baseUrl}" }
  openai: { provider: openai, baseUrl: "${baseUrl}", apiKey: any-key }
models:
  ending:
    type: image
    price: { perMegapixel: { first: 0.03, further: 0.015 } }
    targets: [{ upstream: openai, model: gpt-image-1.5 }]
  text-embedding-3-small:
    type: embedding
    description: "${hostile}"
    targets: [{ upstream: fake, model: text-embedding-3-small }]
`,
  });

  test("texts of others are shown as text", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, "#/models");

    await site.page.getByText(hostile).waitFor();
    expect(await site.page.locator("img[src=x]").count()).toBe(0);
  });

  test("an operator sees the price and the end of each target", async () => {
    const { page } = suite.site;
    await suite.site.signIn(testAdminKey, "#/models");

    const card = page.getByRole("article", { name: "ending" });
    await card.getByText("$0.015 to $0.03 / megapixel").waitFor();
    await card.getByText("2026-12-01, use gpt-image-2.5-sunburst").waitFor();
  });

  test("a developer sees the prices and the end of a model", async () => {
    const { page } = suite.site;
    await suite.site.signIn(testKey, "#/models");

    const card = page.getByRole("article", { name: "ending" });
    await card
      .getByText(
        "output image, first megapixel: $0.03 / megapixel; output image, further megapixel: $0.015 / megapixel",
      )
      .waitFor();
    await card.getByText("2026-12-01", { exact: true }).waitFor();
  });

  test("`Use it in code` has the id and the address of this gateway in it", async () => {
    const { site, gateway } = suite;
    await site.signIn(testAdminKey, "#/models");

    await site.page.getByRole("link", { name: "Use it in code text-embedding-3-small" }).click();

    const dialog = site.page.getByRole("dialog");
    const sample = await dialog.locator("pre").textContent();
    expect(sample).toContain(`curl ${gateway.url}/v1/embeddings`);
    expect(sample).toContain('"model": "text-embedding-3-small"');
    await dialog.getByRole("tab", { name: "Python" }).click();
    await expect.poll(() => dialog.locator("pre").textContent()).toContain(`base_url="${gateway.url}/v1"`);
    await dialog.getByText("GATEWAY_KEY is an environment variable with an API key.").waitFor();
    const guide = await dialog.getByRole("link", { name: "guide to clients" }).getAttribute("href");
    expect((await fetch(guide ?? "")).status).toBe(200);
    await site.page.keyboard.press("Escape");
    await expect.poll(() => dialog.count()).toBe(0);
  });
});
