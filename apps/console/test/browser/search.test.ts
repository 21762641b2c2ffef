import { expect, test } from "vitest";
import { describeInBrowser } from "../../../docs/test/open-browser.js";
import { BatchClient, embeddingLines } from "../../../gateway/test/gateway/batch-client.js";
import { testAdminKey, testKey } from "../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "./suite-console.js";

describeInBrowser("the search", () => {
  const suite = suiteConsole({ provoked: /^404 for / });

  test("a request is found by its id, from every page", async () => {
    const { site, gateway } = suite;
    const sent = await gateway.sendJson("/v1/embeddings", { model: "text-embedding-3-small", input: "a" });
    const id = sent.headers.get("x-request-id") ?? "";
    const headers = { authorization: `Bearer ${testAdminKey}` };
    const recorded = async () => (await fetch(`${gateway.url}/admin/v1/requests/${id}`, { headers })).status;
    await expect.poll(recorded).toBe(200);
    await site.signIn(testAdminKey, "#/requests");
    await site.loaded("Requests");
    await site.choose("Usage");

    await site.page.keyboard.press("Control+k");
    await site.page.keyboard.type(id);
    await site.page.getByRole("option", { name: `${id} request` }).waitFor();
    await site.page.keyboard.press("Enter");

    const sheet = site.page.getByRole("dialog", { name: "Request" });
    await sheet.getByText("text-embedding-3-small").waitFor();
    expect(new URL(site.page.url()).hash).toBe(`#/requests?request=${id}`);

    await site.page.keyboard.press("Control+k");
    await site.page.keyboard.type("rehears");
    await site.page.getByRole("option", { name: "Upstreams: failover rehearsal" }).waitFor();
    await site.page.keyboard.press("Enter");
    await site.loaded("Upstreams");
  });

  test("a batch and a job are found by their ids, by operators and by callers", async () => {
    const { site, gateway } = suite;
    const model = "text-embedding-3-small";
    const batch = await new BatchClient(gateway.url).create(embeddingLines(1, model));
    const job = "job_019c1f2e6d3a4b5c6d7e8f9012345678";

    for (const key of [testAdminKey, testKey]) {
      await site.signIn(key, "#/models");
      await site.page.keyboard.press("Control+k");
      await site.page.keyboard.type(batch.slice(0, 12));
      await site.page.getByText("A batch is found by its whole id: batch_ and 24 more characters.").waitFor();
      await site.page.keyboard.type(batch.slice(12));
      await site.page.getByRole("option", { name: `${batch} batch` }).waitFor();
      await site.page.keyboard.press("Enter");
      await site.page.getByRole("dialog", { name: "Batch" }).getByText("1 of 1").waitFor();

      await site.page.keyboard.press("Control+k");
      await site.page.keyboard.type(job);
      await site.page.getByRole("option", { name: `${job} job` }).waitFor();
      await site.page.keyboard.press("Enter");
      await site.page.getByRole("dialog", { name: "Image job" }).getByText("job_not_found").waitFor();
    }
  });

  test("a model is found by a part of its name", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, "#/usage");

    await site.page.getByRole("button", { name: "Search" }).click();
    await site.page.getByRole("combobox", { name: "Search" }).fill("3-small");
    await site.page.getByRole("option", { name: "text-embedding-3-small model" }).click();

    await site.loaded("Models");
    await site.page.getByRole("article", { name: "text-embedding-3-small" }).waitFor();
  });
});
