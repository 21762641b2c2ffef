import { expect, test } from "vitest";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import { AdminClient } from "../../../../gateway/test/gateway/admin-client.js";
import { testAdminKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "../suite-console.js";
import { guideSteps } from "./guide-steps.js";
import { Person } from "./person.js";

/**
 * The tasks of the guide, each from the overview of an operator who has signed in. The number of steps is in the table of
 * the guide: `the-console.md`.
 */
describeInBrowser("ten tasks", () => {
  const suite = suiteConsole({
    config: (baseUrl) => `
upstreams:
  studio: { provider: openai-compatible, baseUrl: "${baseUrl}" }
  attic: { provider: openai-compatible, baseUrl: "${baseUrl}" }
  shed: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
models:
  text-embedding-3-small: { type: embedding, targets: [{ upstream: studio, model: text-embedding-3-small }] }
  pair: { type: embedding, targets: [{ upstream: studio, model: pair, space: pair }, { upstream: attic, model: pair, space: pair }] }
  priced: { type: embedding, price: { perMillionTokens: 1000 }, targets: [{ upstream: attic, model: priced }] }
  frail: { type: embedding, targets: [{ upstream: shed, model: frail }] }
  gpt-image-2: { type: image, targets: [{ upstream: studio, model: gpt-image-2, price: { perImage: 0.04 } }] }
`,
    script: { always: { width: 32, images: "requested" }, listed: ["tiny-embed", "wide-embed"] },
    // A cost may be looked up before it is recorded.
    provoked: /^404 for .*requests/,
  });
  const done: string[] = [];

  /** The person has done the task when `act` returns, in as many steps as the guide says. */
  function task(name: string, act: (person: Person) => Promise<void>): void {
    test(name, async () => {
      const { site } = suite;
      const person = new Person(site);
      await site.signIn(testAdminKey);
      await site.loaded("Overview");

      await act(person);

      expect(person.steps).toBe(guideSteps.get(name));
      done.push(name);
    });
  }

  const row = (name: RegExp) => suite.site.page.getByRole("row", { name });
  const embed = (model: string) => suite.gateway.sendJson("/v1/embeddings", { model, input: "a" });
  const copied = (): Promise<string> => suite.site.page.evaluate("navigator.clipboard.readText()");
  const mayCopy = () => suite.site.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);

  task("Find a model's id and a code sample", async (person) => {
    await mayCopy();

    await person.open("Models");
    await person.type("Find", "3-small");
    await person.follow("Use it in code text-embedding-3-small");
    await person.push("Copy: The curl sample");

    await expect.poll(copied).toContain(`curl ${suite.gateway.url}/v1/embeddings`);
    expect(await copied()).toContain('"model": "text-embedding-3-small"');
  });

  task("Create a key for a colleague", async (person) => {
    const { site, gateway } = suite;
    await mayCopy();

    await person.open("Keys");
    await person.follow("Create key");
    await person.type("Name", "colleague");
    await person.tick("Only some");
    await person.tick("text-embedding-3-small");
    await person.push("Create key");
    await person.push("Copy text to hand over");

    const secret = (await site.page.locator(".secret code").textContent()) ?? "";
    const parts = [secret, `${gateway.url}/v1`, "Models:   text-embedding-3-small\n", "curl ", "/docs/"];
    await expect.poll(copied).toContain(secret);
    const text = await copied();
    expect(parts.filter((part) => !text.includes(part))).toEqual([]);
    await site.page.getByRole("button", { name: "I have stored it" }).click();
    expect(await site.page.content()).not.toContain(secret);
  });

  task("Find out why a request failed", async (person) => {
    const { site, gateway } = suite;
    const failed = await embed("frail");
    const id = failed.headers.get("x-request-id") ?? "";
    await new AdminClient(gateway.url).rowOf(failed);

    await person.press("Control+k");
    await person.type("Search", id);
    await site.page.getByRole("option", { name: `${id} request` }).waitFor();
    await person.press("Enter");

    const why = site.page
      .getByRole("dialog", { name: "Request" })
      .getByRole("region", { name: "Why it failed" });
    await why.getByRole("row", { name: /^shed/ }).first().waitFor();
    const { error } = (await failed.json()) as { error: { message: string; code: string } };
    // The address of the upstream is for operators alone.
    expect(error.message).toBe("Nothing listens at the upstream's address.");
    expect(await why.textContent()).toContain("Nothing listens at 127.0.0.1:1.");
    await why.getByText("Wait for the time in retry-after, then retry.").waitFor();
    const code = why.getByRole("link", { name: error.code });
    expect((await fetch((await code.getAttribute("href")) ?? "")).status).toBe(200);
  });

  task("See what a team has spent this month", async (person) => {
    const admin = new AdminClient(suite.gateway.url);
    const { value } = await admin.createKey({ name: "crawler", owner: "search team" });
    // A letter is a token and costs $0.001.
    const headers = { authorization: `Bearer ${value}` };
    const body = { model: "priced", input: "a".repeat(120) };
    await admin.rowOf(await suite.gateway.sendJson("/v1/embeddings", body, { headers }));

    await person.open("Usage");
    await person.select("Time", "This month");
    await person.select("Group by", "Owner");

    await row(/^search team \$0\.12 /).waitFor();
  });

  task("Check that two targets give the same vectors", async (person) => {
    await person.open("Models");
    await suite.site.page
      .getByRole("article", { name: "pair", exact: true })
      .getByText("embeds 16 short texts at each target")
      .waitFor();
    await person.follow("Compare targets of pair");

    await row(/^attic \/ pair 32 .* 1\.0000 16 of 16 same/).waitFor();
    await suite.site.page
      .getByRole("status")
      .filter({ hasText: /^Safe to mix: both targets/ })
      .waitFor();
  });

  task("Rehearse the failure of an upstream", async (person) => {
    const { page } = suite.site;
    await person.open("Upstreams");
    await person.follow("What if it is down? studio");

    await row(/^text-embedding-3-small unavailable/).waitFor();
    await row(/^pair moves attic \/ pair/).waitFor();
    await row(/^priced unchanged attic \/ priced/).waitFor();
    await page.getByText(/^Of the last 24 hours' requests, .* would move and .* would fail\.$/).waitFor();
  });

  task("Compare two prompts", async (person) => {
    await person.open("Images");
    await person.type("Prompt", "a fox");
    await person.push("Compare with another prompt");
    await person.type("Prompt B", "an owl");
    await person.push("Generate 2 images, about $0.08");

    for (const prompt of ["a fox", "an owl"])
      await suite.site.page
        .getByRole("article", { name: `gpt-image-2: ${prompt}` })
        .getByRole("img", { name: "The result" })
        .waitFor();
    await suite.site.page.getByText("$0.08 together").waitFor();
  });

  task("See what is failing, and since when", async (person) => {
    const { page } = suite.site;
    for (let call = 0; call < 6; call += 1) await embed("frail");
    await page.getByText(/^frail has had no healthy target since .* Its requests fail\.$/).waitFor();

    await person.follow(/^View: shed \/ frail has been down since \d\d:\d\d/);

    const target = page.getByRole("table", { name: "Targets of shed" }).getByRole("row", { name: /^frail/ });
    await target.getByText("down", { exact: true }).waitFor();
    await target.getByText(/^For .*, \d+ failures\./).waitFor();
    await target.getByText(/Nothing listens at 127\.0\.0\.1:1\./).waitFor();
  });

  task("Add an upstream and its model", async (person) => {
    const { site, upstream } = suite;
    await person.open("Upstreams");
    await person.follow("Add upstream");
    await person.type("Find a provider", "compatible");
    await person.follow(/openai-compatible/);
    await person.type("Base URL", upstream.baseUrl);
    await person.type("API key", "sk-0123456789abcdef");
    await person.push("Continue");
    await person.tick("tiny-embed");
    await person.push("Review");
    await person.push("Apply");
    await site.page.getByText("openai-compatible is added.").waitFor();

    await expect.poll(async () => (await embed("tiny-embed")).status).toBe(200);
  });

  task("Add a model of an upstream", async (person) => {
    const { site } = suite;
    await person.open("Models");
    await person.follow("Add model");
    await person.select("Upstream", "studio");
    await person.push("wide-embed");
    await person.push("Review");
    await person.push("Apply");
    await site.page.getByText("wide-embed is added.").waitFor();

    await expect.poll(async () => (await embed("wide-embed")).status).toBe(200);
  });

  test("the guide has these tasks and no others", () => {
    expect(done).toEqual([...guideSteps.keys()]);
  });
});
