import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import { examine } from "../../../../docs/test/examine.js";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import { AdminClient } from "../../../../gateway/test/gateway/admin-client.js";
import {
  BatchClient,
  batchLine,
  embeddingLines,
  imageLines,
} from "../../../../gateway/test/gateway/batch-client.js";
import { testAdminKey, testKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "../suite-console.js";

const model = "text-embedding-3-small";
const views = (["light", "dark"] as const).flatMap((theme) => [1280, 390].map((width) => ({ theme, width })));

describeInBrowser("the page of jobs", () => {
  const suite = suiteConsole({
    config: (baseUrl) => `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  ${model}:
    type: embedding
    price: { perMillionTokens: 1000 }
    targets: [{ upstream: fake, model: ${model} }]
  gpt-image-2: { type: image, price: { perImage: 0.04 }, targets: [{ upstream: fake, model: gpt-image-2 }] }
`,
    provoked: /^40[04] for /,
  });
  const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
  /** The ids of a batch with a line that fails, and of one whose file has a fault. */
  let mixed: string;
  let faulty: string;

  beforeAll(async () => {
    const batches = new BatchClient(suite.gateway.url);
    // The last line is refused when it runs: the upstream has no such width.
    const bad = batchLine("bad-row", { model, input: "a", dimensions: 999_999 });
    mixed = await batches.create([...embeddingLines(9, model), bad]);
    faulty = await batches.create([batchLine("a", { model: "no-such-model", input: "a" })]);
    const haveEnded = async () =>
      (await batches.retrieve(mixed)).status === "completed" &&
      (await batches.retrieve(faulty)).status === "failed";
    await vi.waitUntil(haveEnded, { timeout: 60_000, interval: 100 });
  });

  test("before the first one, both lists say how to create one", async () => {
    const { site, gateway } = suite;
    const { value } = await new AdminClient(gateway.url).createKey({ name: "newcomer" });
    await site.signIn(value);
    await site.choose("Jobs");

    await site.page.getByText("No batches yet.").waitFor();
    await site.page.getByText("No image jobs.").waitFor();
    const commands = region(site.page, "Commands for batches");
    await commands.getByText(`${gateway.url}/v1/files`).waitFor();
    expect(await site.page.getByRole("link", { name: "Guide to batches" }).getAttribute("href")).toBe(
      `${gateway.url}/docs/guides/batches/`,
    );
  });

  test("an operator opens a batch, sees its lines that failed, saves its files and follows its requests", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, "#/jobs?batch_state=completed");
    await site.loaded("Jobs");
    const rows = region(site.page, "Batches").locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByText("10 of 10, 1 failed").waitFor();
    await rows.getByText("tester", { exact: true }).waitFor();
    await rows.getByText("testers", { exact: true }).waitFor();
    // The ledger has the lines some seconds after their end.
    await rows.getByText(/^\$\d+\.\d+$/).waitFor();

    await rows.first().click();

    const sheet = site.page.getByRole("dialog", { name: "Batch" });
    await expect.poll(() => new URL(site.page.url()).hash).toContain(`batch=${mixed}`);
    await sheet.getByText("bad-row").waitFor();
    expect(await sheet.getByRole("link", { name: "Request", exact: true }).getAttribute("href")).toMatch(
      /^#\/requests\?request=req_[0-9a-f]{32}$/,
    );
    const saving = site.page.waitForEvent("download");
    await sheet.getByRole("button", { name: "Save output file" }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe(`${mixed}_output.jsonl`);
    expect((await readFile(await saved.path(), "utf8")).trimEnd().split("\n")).toHaveLength(9);

    const recorded = new AdminClient(suite.gateway.url);
    await recorded.rowsOnce(10, { batch: mixed });
    await sheet.getByRole("link", { name: "Its requests" }).click();
    await site.loaded("Requests");
    const requests = region(site.page, "Requests").locator("tbody tr");
    await expect.poll(() => requests.count()).toBe(10);
    await requests.first().click();
    await site.page.getByRole("dialog").getByRole("link", { name: mixed }).click();
    await site.loaded("Jobs");
    await sheet.getByText("bad-row").waitFor();
  });

  test("a batch whose file has faults names them by line", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, `#/jobs?batch=${faulty}`);
    const sheet = site.page.getByRole("dialog", { name: "Batch" });

    await region(sheet.page(), "Faults of the input file").getByText("model_not_found").waitFor();
    await site.page.keyboard.press("Escape");
    await expect.poll(() => sheet.count()).toBe(0);
  });

  test("a caller sees the own batches and requests, follows one that runs, and cancels it", async () => {
    const { site, gateway, upstream } = suite;
    const { value } = await new AdminClient(gateway.url).createKey({ name: "draftsman" });
    const batches = new BatchClient(gateway.url, value);
    upstream.follow({ always: { isHeld: true } });
    const id = await batches.create(imageLines(20, "gpt-image-2"), "/v1/images/generations");
    await site.signIn(value, "#/jobs");
    const rows = region(site.page, "Batches").locator("tbody tr");
    // The page loads the state again without a hand.
    await rows.getByText("0 of 20").waitFor();
    expect(await rows.count()).toBe(1);
    const state = region(site.page, "Batches").getByLabel("State");
    expect(await state.getByRole("option").allTextContents()).toEqual([
      "Any",
      "Checking the file",
      "Running",
      "Writing results",
      "Completed",
      "Failed",
      "Out of time",
      "Stopping",
      "Cancelled",
    ]);
    await state.selectOption("Completed");
    await site.page.getByText("Nothing fits the filters.").waitFor();
    expect(new URL(site.page.url()).hash).toBe("#/jobs?batch_state=completed");
    await state.selectOption("Running");
    await rows.getByText("running", { exact: true }).waitFor();
    await rows.first().click();
    const sheet = site.page.getByRole("dialog", { name: "Batch" });
    await sheet.getByText("in_progress", { exact: true }).waitFor();

    await sheet.getByRole("button", { name: "Cancel…" }).click();
    const question = site.page.getByRole("dialog", { name: "Cancel this batch?" });
    await question.getByRole("button", { name: "Keep it" }).click();
    expect((await batches.retrieve(id)).status).toBe("in_progress");
    await sheet.getByRole("button", { name: "Cancel…" }).click();
    await question.getByRole("button", { name: "Cancel the batch" }).click();
    await sheet.getByText("stopping", { exact: true }).waitFor();
    upstream.follow({ always: {} });

    await sheet.getByText("cancelled", { exact: true }).waitFor();
    await sheet.getByRole("button", { name: "Save error file" }).waitFor();
    await sheet.getByRole("link", { name: "Its requests" }).click();
    await site.loaded("Your key");
    await site.page.getByRole("heading", { name: "Your requests of one batch" }).waitFor();
  });

  test("a row that failed has the code of its error", async () => {
    const { site, gateway, upstream } = suite;
    upstream.follow({ always: { faults: [{ kind: "reply", status: 400 }] } });
    const headers = { prefer: "respond-async" };
    const body = { model: "gpt-image-2", prompt: "a fox" };
    const created = await gateway.sendJson("/v1/images/generations", body, { headers });
    const { id } = (await created.json()) as Record<string, string>;
    const job = async () =>
      (await (await gateway.send(`/v1/jobs/${id}`)).json()) as { error: { code: string } | null };
    await expect.poll(async () => (await job()).error).not.toBeNull();
    upstream.follow({ always: {} });

    await site.signIn(testAdminKey, "#/jobs?job_state=failed&batch_state=failed");

    const code = (await job()).error?.code ?? "none";
    await region(site.page, "Image jobs").locator("tbody tr").getByText(code, { exact: true }).waitFor();
    const failedBatch = region(site.page, "Batches").locator("tbody tr");
    await failedBatch.getByText("model_not_found", { exact: true }).waitFor();
  });

  test("an image job is listed with its key and its cost, and leads to its request and back", async () => {
    const { site, gateway } = suite;
    const headers = { prefer: "respond-async" };
    const body = { model: "gpt-image-2", prompt: "a fox" };
    const created = await gateway.sendJson("/v1/images/generations", body, { headers });
    const { id } = (await created.json()) as Record<string, string>;
    await new AdminClient(gateway.url).rowOf(created);
    // The list of completed jobs is not loaded again: nothing in it runs.
    const status = async () =>
      ((await (await gateway.send(`/v1/jobs/${id}`)).json()) as { status: string }).status;
    await expect.poll(status).toBe("completed");

    for (const [key, title] of [
      [testAdminKey, "Requests"],
      [testKey, "Your key"],
    ] as const) {
      await site.signIn(key, "#/jobs?job_state=completed");
      const rows = region(site.page, "Image jobs").locator("tbody tr");
      await expect.poll(() => rows.count()).toBe(1);
      await rows.getByText("$0.04").waitFor();
      expect(await rows.getByText("tester", { exact: true }).count()).toBe(key === testAdminKey ? 1 : 0);
      await rows.first().click();
      const sheet = site.page.getByRole("dialog", { name: "Image job" });
      await sheet.getByText(`${id}`, { exact: true }).waitFor();
      await sheet.getByText("completed", { exact: true }).waitFor();
      await sheet.getByText(`GET /v1/jobs/${id}`).waitFor();
      const links = await sheet.getByRole("link", { name: /^testers?$/ }).allTextContents();
      expect(links).toEqual(key === testAdminKey ? ["tester", "testers"] : []);
      await sheet.getByRole("link", { name: "Its request" }).click();
      await site.loaded(title);
      expect(new URL(site.page.url()).hash).toContain(`job=${id}`);
      const request = site.page.getByRole("dialog", { name: "Request" });
      await request.getByText("createImage").waitFor();
      await site.page.keyboard.press("Escape");
      await expect.poll(() => site.page.locator("main tbody tr.link-row").count()).toBe(1);
      await site.page.locator("main tbody tr.link-row").click();
      await request.getByRole("link", { name: `${id}` }).click();
      await site.loaded("Jobs");
      await sheet.getByText("completed", { exact: true }).waitFor();
    }
  });

  test.each(views)("axe finds nothing, in $theme and $width pixels wide", async ({ theme, width }) => {
    const { site } = suite;
    await site.page.setViewportSize({ width, height: 860 });
    await site.page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    const places = { list: "#/jobs", lines: `#/jobs?batch=${mixed}`, faults: `#/jobs?batch=${faulty}` };
    const findings: Record<string, string[]> = {};
    await site.signIn(testAdminKey, places.list);
    for (const [name, place] of Object.entries(places)) {
      await site.page.goto(`${site.address}${place}`);
      await site.loaded("Jobs");
      if (name !== "list") await site.page.getByRole("dialog").getByRole("region").first().waitFor();
      findings[name] = await examine(site.page, name === "list" ? undefined : "dialog[open]");
    }

    expect(findings).toEqual({ list: [], lines: [], faults: [] });
    await site.page.keyboard.press("Escape");
    const cost = region(site.page, "Batches").getByRole("columnheader", { name: "Cost" });
    const { x, width: wide } = (await cost.boundingBox()) ?? { x: width, width };
    expect(x + wide).toBeLessThan(width - 16);
    expect(await site.page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  });
});
