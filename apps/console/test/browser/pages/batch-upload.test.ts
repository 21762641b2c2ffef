import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { examine } from "../../../../docs/test/examine.js";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import { AdminClient } from "../../../../gateway/test/gateway/admin-client.js";
import { BatchClient, batchLine, embeddingLines } from "../../../../gateway/test/gateway/batch-client.js";
import { testAdminKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "../suite-console.js";

const model = "text-embedding-3-small";
const views = (["light", "dark"] as const).flatMap((theme) => [1280, 390].map((width) => ({ theme, width })));

describeInBrowser("creating a batch in the console", () => {
  const suite = suiteConsole({ provoked: /^503 for / });
  const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Create batch" });
  const sheetOf = (page: Page) => page.getByRole("dialog", { name: "Batch" });
  const choose = (lines: readonly (object | string)[], name = "requests.jsonl") =>
    dialogOf(suite.site.page)
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "application/jsonl", buffer: Buffer.from(textOf(lines)) });
  const uploads = () =>
    suite.site.addresses.filter((address) => new URL(address).pathname === "/v1/files").length;

  test("a caller sees the faults of a file by line, chooses another, and follows its batch", async () => {
    const { site, gateway } = suite;
    const { value } = await new AdminClient(gateway.url).createKey({ name: "draftsman" });
    await site.signIn(value, "#/jobs");
    await site.page.getByRole("link", { name: "Create batch" }).click();
    const dialog = dialogOf(site.page);
    await dialog.getByText("a request of your key, draftsman").waitFor();
    expect(new URL(site.page.url()).hash).toBe("#/jobs?create=batch");
    expect(await dialog.getByRole("button", { name: "Upload and run" }).isDisabled()).toBe(true);

    const good = embeddingLines(2, model);
    await choose([...good, "", "{", good[0]!, batchLine("b", { model: "other" }), { custom_id: "c" }]);
    const faults = dialog.getByRole("region", { name: "Faults of the input file" }).locator("tbody tr");
    await dialog.getByText("4 lines have faults.").waitFor();
    expect(await faults.allTextContents()).toEqual([
      "4This line is not parseable as valid JSON. invalid_json_line",
      "5Another line has the same 'custom_id'. duplicate_custom_id",
      "6The model of this line is not that of the first line. All lines must name one model. model_mismatch",
      "7Missing required parameter: 'method'. missing_required_parameter",
      "7Missing required parameter: 'url'. missing_required_parameter",
      "7Missing required parameter: 'body'. missing_required_parameter",
    ]);
    await dialog.getByText("other is not among the models that you may call.").waitFor();
    await dialog.getByRole("button", { name: "Upload anyway" }).waitFor();

    await choose([
      ...good,
      batchLine("empty", { model, input: "" }),
      { ...good[0]!, custom_id: "g", body: { model } },
    ]);
    await dialog.getByText("2 lines will fail when they run.").waitFor();
    const failing = dialog.getByRole("region", { name: "Lines that will fail" }).locator("tbody tr");
    expect(await failing.allTextContents()).toEqual([
      "3Invalid 'input': it cannot be an empty string. empty_string",
      "4Missing required parameter: 'input'. missing_required_parameter",
    ]);
    await dialog.getByRole("button", { name: "Upload anyway" }).waitFor();

    await choose([batchLine("a", { model: "other", input: ["a", "b"] })]);
    await dialog.getByText("other is not among the models that you may call.").waitFor();
    expect(await dialog.locator(".fact", { hasText: "Texts" }).textContent()).toBe("Texts2");
    await dialog.getByRole("button", { name: "Upload anyway" }).waitFor();

    await choose(embeddingLines(12, model), "corpus.txt");
    await expect.poll(() => faults.count()).toBe(0);
    await dialog.getByText("corpus.txt").waitFor();
    await dialog.getByRole("button", { name: "Upload and run" }).click();

    const sheet = sheetOf(site.page);
    await sheet.getByText("12 of 12", { exact: true }).waitFor();
    await sheet.getByText("completed", { exact: true }).waitFor();
    const [batch] = (await new BatchClient(gateway.url, value).openai.batches.list()).data;
    expect(new URL(site.page.url()).hash).toBe(`#/jobs?batch=${batch?.id}`);
    await site.page.keyboard.press("Escape");
    await expect.poll(() => new URL(site.page.url()).hash).toBe("#/jobs");
  });

  test("a file that an operator drops runs as the operator, and the page says so", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, "#/jobs?create=batch");
    const dialog = dialogOf(site.page);
    await dialog.getByText("count for no key's limits or budget").waitFor();
    const text = textOf(embeddingLines(3, model));
    const dataTransfer = await site.page.evaluateHandle((content) => {
      const data = new DataTransfer();
      data.items.add(new File([content], "dropped.jsonl"));
      return data;
    }, text);

    await dialog.locator(".file-drop").dispatchEvent("drop", { dataTransfer });
    await dialog.getByText("dropped.jsonl").waitFor();
    await dialog.getByRole("button", { name: "Upload and run" }).click();

    const sheet = sheetOf(site.page);
    await sheet.getByText("3 of 3", { exact: true }).waitFor();
    await sheet.getByText("console (operator)").waitFor();
    await sheet.getByText("completed", { exact: true }).waitFor();
  });

  test("a large file is read and counted in pieces", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, "#/jobs?create=batch");
    await site.page.evaluate(`
      window.pieces = [];
      const { arrayBuffer } = Blob.prototype;
      Blob.prototype.arrayBuffer = function () { pieces.push(this.size); return arrayBuffer.call(this); };
      Blob.prototype.text = Blob.prototype.stream = () => { throw new Error("read as a whole"); };
    `);
    const long = Array.from({ length: 20_000 }, (_, index) =>
      batchLine(`row-${index}`, { model, input: "x".repeat(300) }),
    );

    await choose([...long, batchLine("huge", { model, input: "y".repeat(5_000_000) })]);

    const dialog = dialogOf(site.page);
    await dialog.getByText("20,001").waitFor();
    await dialog.getByText("1 line is longer than 4.0 MB and left to the gateway.").waitFor();
    const pieces: number[] = await site.page.evaluate("pieces");
    expect(pieces.length).toBeGreaterThan(40);
    expect(Math.max(...pieces)).toBe(256 * 1024);
    await site.page.keyboard.press("Escape");
  });

  test("an upload shows its progress, and can be stopped and sent again", async () => {
    const { site, gateway } = suite;
    const { value } = await new AdminClient(gateway.url).createKey({ name: "slow line" });
    await site.signIn(value, "#/jobs?create=batch");
    const network = await site.page.context().newCDPSession(site.page);
    const limit = (uploadThroughput: number) =>
      network.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await network.send("Network.enable");
    await limit(100_000);
    const lines = Array.from({ length: 200 }, (_, index) =>
      batchLine(`row-${index}`, { model, input: "word ".repeat(2000) }),
    );
    await choose(lines);
    const dialog = dialogOf(site.page);
    await dialog.getByRole("button", { name: "Upload and run" }).click();

    await dialog.getByText(/^Uploading: [1-9]\d?(\.\d)? % of 1\.9 MB/).waitFor();
    await site.page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Stop" }).click();
    await dialog.getByRole("button", { name: "Cancel" }).waitFor();
    const openai = new BatchClient(gateway.url, value).openai;
    expect((await openai.batches.list()).data).toEqual([]);

    await limit(-1);
    await dialog.getByRole("button", { name: "Upload and run" }).click();
    await sheetOf(site.page).getByText("200 of 200", { exact: true }).waitFor();
    expect((await openai.files.list({ purpose: "batch" })).data).toHaveLength(1);
    await network.detach();
  });

  test("a batch that is refused is tried again without a second upload, and a file without one is deleted", async () => {
    const { site, gateway } = suite;
    const { value } = await new AdminClient(gateway.url).createKey({ name: "refused" });
    const openai = new BatchClient(gateway.url, value).openai;
    await site.signIn(value, "#/jobs?create=batch");
    const before = uploads();
    const error = { message: "Not now.", type: "server_error", param: null, code: "storage_unavailable" };
    await site.page.route("**/v1/batches", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 503, json: { error } })
        : route.continue(),
    );
    await choose(embeddingLines(2, model));
    const dialog = dialogOf(site.page);
    const start = dialog.getByRole("button", { name: "Upload and run" });

    await start.click();
    await dialog.getByText("Not now.").waitFor();
    await start.click();
    await expect.poll(() => start.isEnabled()).toBe(true);
    expect(uploads() - before).toBe(1);
    expect((await openai.files.list()).data).toHaveLength(1);

    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(async () => (await openai.files.list()).data.length).toBe(0);
    await site.page.unroute("**/v1/batches");
  });

  test.each(views)("axe finds nothing, in $theme and $width pixels wide", async ({ theme, width }) => {
    const { site } = suite;
    await site.page.setViewportSize({ width, height: 860 });
    await site.page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await site.signIn(testAdminKey, "#/jobs?create=batch");

    await choose([...embeddingLines(3, model), "{", batchLine("x", { model: "unknown" })]);
    await dialogOf(site.page).getByText("2 lines have faults.").waitFor();

    expect(await examine(site.page, "dialog[open]")).toEqual([]);
    expect(await site.page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  });
});

function textOf(lines: readonly (object | string)[]): string {
  return lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
}
