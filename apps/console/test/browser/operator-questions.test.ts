import { expect, test } from "vitest";
import { describeInBrowser } from "../../../docs/test/open-browser.js";
import { AdminClient } from "../../../gateway/test/gateway/admin-client.js";
import { testAdminKey } from "../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "./suite-console.js";

describeInBrowser("the questions of an operator", () => {
  const suite = suiteConsole({
    config: (baseUrl) => `
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${baseUrl}" }
  twin: { provider: openai-compatible, baseUrl: "${baseUrl}" }
  shed: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
models:
  pair: { type: embedding, targets: [{ upstream: fake, model: pair-a, space: pair }, { upstream: twin, model: pair-b, space: pair }] }
  unpriced: { type: embedding, targets: [{ upstream: fake, model: unpriced }] }
  priced: { type: embedding, price: { perMillionTokens: 1000 }, targets: [{ upstream: fake, model: priced }] }
  gone: { type: embedding, targets: [{ upstream: shed, model: gone }] }
  idle: { type: embedding, targets: [{ upstream: twin, model: idle }] }
  paints: { type: image, fallback: sketches, targets: [{ upstream: fake, model: paints }] }
  sketches: { type: image, targets: [{ upstream: twin, model: sketches }] }
  draws: { type: image, targets: [{ upstream: fake, model: draws }] }
`,
  });
  const hash = () => decodeURIComponent(new URL(suite.site.page.url()).hash);
  const row = (name: RegExp) => suite.site.page.getByRole("row", { name });
  const adminOf = () => new AdminClient(suite.gateway.url);

  /** Sends a request with a key, and waits for its record. */
  async function send(value: string, model: string): Promise<string> {
    const headers = { authorization: `Bearer ${value}` };
    const response = await suite.gateway.sendJson("/v1/embeddings", { model, input: "a" }, { headers });
    return (await adminOf().rowOf(response)).id;
  }

  test("does it work? A target is green once a call has succeeded", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, "#/upstreams?upstream=twin");

    await row(/^idle/).getByText("unknown", { exact: true }).waitFor();
    await site.page.goto(`${site.address}#/models?model=idle`);
    const card = site.page.getByRole("article", { name: "idle" });
    await card.getByText("unknown", { exact: true }).waitFor();
    await site.page.goto(`${site.address}#/upstreams?upstream=twin`);
    await site.page.getByRole("link", { name: "Try now twin / idle" }).click();
    await site.page.getByRole("dialog").getByRole("button", { name: "Try now" }).click();
    await site.page.getByText(/It replied in/).waitFor();
    await site.page.keyboard.press("Escape");

    await row(/^idle/).getByText("healthy", { exact: true }).waitFor();
  });

  test("what does a budget count? Models without a price are named wherever the budget is", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, "#/keys?create=key");
    const dialog = site.page.getByRole("dialog");
    const note = dialog.getByText(/^The budget does not count/);
    await dialog.getByLabel("Name").fill("budgeted");
    await dialog.getByLabel("Only some").check();
    await dialog.getByLabel("priced", { exact: true }).check();
    await dialog.getByLabel("Budget, $").fill("25");
    expect(await note.count()).toBe(0);

    await dialog.getByLabel("unpriced", { exact: true }).check();
    expect(await note.textContent()).toContain("does not count unpriced, because no price is known.");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const text = await dialog.locator("pre").textContent();
    expect(text).toContain("Budget:   $25.00 a month, without unpriced: no price is known");
    const secret = (await site.page.locator(".secret code").textContent()) ?? "";
    await dialog.getByRole("button", { name: "I have stored it" }).click();
    await send(secret, "unpriced");
    await send(secret, "priced");

    await expect
      .poll(async () => {
        await site.page.reload();
        return row(/^budgeted/).textContent();
      })
      .toMatch(/\$0\.\d+ of \$25\.00 a monthand 1 request without a price/);
    await row(/^budgeted/).click();
    await note.waitFor();
    await dialog.getByRole("link", { name: "Set a price" }).click();
    await site.page.getByRole("heading", { name: "Change unpriced" }).waitFor();
  });

  test("are these the same vectors? One click on the card of a model leads to the verdict", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, "#/models?model=pair");

    await site.page.getByRole("link", { name: "Compare targets of pair" }).click();

    const verdict = site.page.getByRole("status").filter({ hasText: /^Safe to mix: both targets/ });
    await verdict.waitFor();
    await expect.poll(() => isInView(verdict)).toBe(true);
    const calls = () => suite.upstream.received.filter(({ body }) => body.model === "pair-a").length;
    const before = calls();
    await site.page.reload();
    await site.page.getByRole("button", { name: "Examine" }).waitFor();
    expect(calls()).toBe(before);
    // A link from elsewhere does not spend anything.
    await site.signIn(testAdminKey, "#/upstreams?examine=pair&run=now&section=doctor");
    await site.page.getByRole("button", { name: "Examine" }).waitFor();
    expect(calls()).toBe(before);
  });

  test("what if it is down? The card of an upstream leads to the rehearsal, and that to a remedy", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, "#/upstreams");

    await site.page.getByRole("link", { name: "What if it is down? fake" }).click();

    await row(/^pair moves/).waitFor();
    await row(/^paints falls back twin \/ sketches, for the model sketches/).waitFor();
    const lost = row(/^priced unavailable Add a second target to priced/);
    await lost.waitFor();
    await expect.poll(() => isInView(site.page.getByLabel("fake is down"))).toBe(true);
    expect(hash()).toBe("#/upstreams?down=fake&section=rehearsal");
    await lost.getByRole("link", { name: /^Add a second target/ }).click();
    await site.page.getByRole("heading", { name: "Change priced" }).waitFor();

    await site.page.goto(`${site.address}#/upstreams?down=twin`);
    await row(/^sketches unavailable Add a second target or a fallback/)
      .getByRole("link", { name: /fallback/ })
      .click();
    await site.page.getByLabel("Fallback (optional)").selectOption("draws");
    await site.page.getByRole("button", { name: "Review" }).click();
    const change = site.page.getByRole("region", { name: /^The change to/ });
    expect(await change.textContent()).toContain("fallback: draws");
  });

  test("what did a team spend? The search leads to its month, and from there to its requests", async () => {
    const { site } = suite;
    const owner = "search team";
    const { value } = await adminOf().createKey({ name: "nightly", owner });
    const id = await send(value, "priced");
    await send(value, "no-such-model");
    await site.signIn(testAdminKey);
    const search = async (text: string) => {
      await site.page.keyboard.press("Control+k");
      await site.page.keyboard.type(text);
    };

    await search("search te");
    await site.page.getByRole("option", { name: "search team owner" }).click();
    await site.loaded("Usage");
    expect(hash()).toBe("#/usage?time=month&by=key&owner=search+team");
    await site.page.getByRole("definition").first().waitFor();
    await site.page.getByRole("term").getByRole("link", { name: "requests", exact: true }).click();
    await site.loaded("Requests");
    await expect.poll(() => site.page.locator("tbody tr").count()).toBe(2);
    await expect.poll(() => site.page.getByLabel("Owner", { exact: true }).inputValue()).toBe(owner);

    await site.page.goto(`${site.address}#/usage?by=model&owner=${owner}`);
    await site.page.getByRole("link", { name: "unknown model" }).click();
    await site.loaded("Requests");
    await expect.poll(() => site.page.locator("tbody tr").count()).toBe(1);
    await expect
      .poll(() => site.page.getByLabel("Model", { exact: true }).inputValue())
      .toBe("unknown model");
    await row(/no-such-model \(asked for\)/).waitFor();
    await site.page.getByLabel("Model", { exact: true }).fill("");
    await expect.poll(() => site.page.locator("tbody tr").count()).toBe(2);

    await search(id.slice(0, 12));
    await site.page.getByText(/^A request is found by its whole id/).waitFor();
    await site.page.keyboard.press("Escape");
    await expect.poll(() => site.page.getByRole("dialog").count()).toBe(0);
  });

  test.each([
    ["compare", "Upstreams: compare targets page", "#/upstreams?section=doctor"],
    ["what if down", "Upstreams: what if it is down page", "#/upstreams?section=rehearsal"],
    ["spend", "Usage: spend this month page", "#/usage?time=month&by=owner&measure=cost_usd"],
    ["rotate", "Keys: rotate page", "#/keys"],
  ])("a search for %s finds %s", async (text, name, address) => {
    const { site } = suite;
    await site.signIn(testAdminKey);

    await site.page.keyboard.press("Control+k");
    await site.page.keyboard.type(text);
    await site.page.getByRole("option", { name }).click();

    await expect.poll(hash).toBe(address);
  });

  test("why was it refused? The sheet names the model that was asked for, and shows names as code", async () => {
    const { site } = suite;
    const { value, id } = await adminOf().createKey({ name: "narrow", models: ["priced"] });
    const refused = await send(value, "unpriced");
    await site.signIn(testAdminKey, `#/requests?request=${refused}`);
    const sheet = site.page.getByRole("dialog");
    const why = sheet.getByRole("region", { name: "Why it failed" });
    await why.waitFor();

    expect(await why.locator(".failure-message").textContent()).not.toContain("`");
    expect(await why.locator(".failure-message code").allTextContents()).toContain("unpriced");
    expect(await why.locator(".failure-message").textContent()).toContain("It may call priced.");
    const key = sheet.getByRole("link", { name: "narrow", exact: true });
    expect(await key.getAttribute("href")).toBe(`#/keys?key=${id}`);
    await sheet.getByRole("link", { name: "unpriced", exact: true }).waitFor();

    await site.page.goto(`${site.address}#/usage?by=model&key=${id}`);
    await row(/^unpriced /).waitFor();
    expect(await row(/^unknown model/).count()).toBe(0);
    await site.page.getByRole("link", { name: "unpriced", exact: true }).click();
    await site.loaded("Requests");
    await row(/ unpriced /).waitFor();
    await site.page.goto(`${site.address}#/requests?request=${refused}`);

    const served = await send(value, "priced");
    await site.page.goto(`${site.address}#/requests?request=${served}`);
    await sheet.getByRole("link", { name: "priced", exact: true }).click();
    await site.loaded("Models");
    expect(hash()).toBe("#/models?model=priced");
  });

  test("why is it down? The cause is in the sheet, on the card and in the trial, in the same words", async () => {
    const { site } = suite;
    const { value, id } = await adminOf().createKey({ name: "unlucky" });
    let skipped = "";
    // Some calls fail before the breaker opens.
    const attempts = async () => {
      skipped = await send(value, "gone");
      return (await adminOf().rows({ key: id })).find((row) => row.id === skipped)?.attempts;
    };
    await expect.poll(attempts).toBe(0);
    const cause = "Nothing listens at 127.0.0.1:1.";

    await site.signIn(testAdminKey, `#/requests?request=${skipped}`);
    const why = site.page.getByRole("dialog").getByRole("region", { name: "Why it failed" });
    const target = why
      .getByRole("table", { name: "Targets that were not called" })
      .getByRole("row", { name: /^shed/ });
    await target.getByText(cause).waitFor();
    await target.getByText(/^Down since .*, \d+ failures\. Last error at .*\. Next try at /).waitFor();

    await site.page.goto(`${site.address}#/models?model=gone`);
    const card = site.page.getByRole("article", { name: "gone" });
    await card.getByText(cause).waitFor();
    expect(await card.getByRole("link", { name: "Its failed requests (gone)" }).getAttribute("href")).toBe(
      "#/requests?model=gone&failed=true",
    );
    await card.getByRole("link", { name: "shed", exact: true }).click();
    await row(/^gone/)
      .getByText(/^Last failure, .*: Nothing listens at 127\.0\.0\.1:1\.$/)
      .waitFor();

    await site.page.getByRole("link", { name: "Try now shed / gone" }).click();
    const dialog = site.page.getByRole("dialog");
    await dialog.getByText("It embeds one word.").waitFor();
    expect(await dialog.textContent()).not.toContain("image");
    await dialog.getByRole("button", { name: "Try now" }).click();
    await dialog.getByText(new RegExp(`^It failed after .*: ${cause}$`)).waitFor();
    await adminOf().rowsOnce(1, { key: "gateway:probe", model: "gone" });

    await site.page.goto(`${site.address}#/`);
    await site.loaded("Overview");
    const legends = site.page.locator(".legend-list");
    await legends.nth(1).getByText("console and checks").waitFor();
    const colours = await legends
      .getByRole("listitem")
      .filter({ hasText: /^gone$/ })
      .locator(".swatch")
      .evaluateAll((swatches) => swatches.map(({ className }) => className));
    expect(colours).toHaveLength(2);
    expect(new Set(colours).size).toBe(1);
  });

  /** Whether an element is within the window. */
  async function isInView(element: ReturnType<typeof row>): Promise<boolean> {
    const box = await element.boundingBox();
    const { height } = suite.site.page.viewportSize() ?? { height: 0 };
    return box !== null && box.y >= 0 && box.y + box.height <= height;
  }
});
