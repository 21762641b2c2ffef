import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../../docs/test/open-browser.js";
import { type BuiltGateway, GatewayFolder } from "../../../gateway/test/gateway/built.js";
import { testAdminKey } from "../../../gateway/test/gateway/test-gateway.js";
import { ConsolePage } from "./console-page.js";

describeInBrowser("the console link of a terminal", () => {
  let home: GatewayFolder;
  let gateway: BuiltGateway;
  let site: ConsolePage;
  let code: string;

  beforeAll(async () => {
    home = new GatewayFolder(
      'upstreams: { fake: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" } }\nmodels: { text: { type: embedding, targets: [{ upstream: fake, model: text }] } }\n',
    );
    gateway = await home.start({}, { flags: ["--log", "text"] });
    site = await ConsolePage.open(`${gateway.url}/console/`);
    code = /#code=(mg_code_\w+)/.exec(gateway.stdout())?.[1] ?? "";
  });
  afterAll(async () => {
    await site.close();
    await home.remove();
  });

  test("a click signs in as the operator, and the code leaves the address and the history", async () => {
    await site.arrive(`#code=${code}`);

    await site.loaded("Overview");
    expect(site.page.url()).not.toContain("code");
    await site.choose("Keys");
    await site.page.goBack();
    await site.loaded("Overview");
    expect(site.page.url()).not.toContain("code");
    expect(site.addresses.filter((address) => new URL(address).search.includes("code"))).toEqual([]);
    expect(await site.page.evaluate("JSON.stringify({ ...sessionStorage, ...localStorage })")).not.toContain(
      code,
    );
  });

  test("a link that was used shows the sign-in, with the way on, and the admin key still works", async () => {
    await site.arrive(`#code=${code}`);

    const alert = await site.page.getByRole("alert").textContent();
    expect(alert).toMatch(/^The console link was used already, .* \(.* link\), .* GATEWAY_ADMIN_KEY/);
    expect(site.page.url()).toBe(site.address);
    await site.page.getByLabel("Key").fill(testAdminKey);
    await site.page.getByRole("button", { name: "Sign in" }).click();
    await site.loaded("Overview");
  });

  test("the sign-in names the lines that the start prints", async () => {
    await site.arrive("#/");
    const guide = new URL("../../../docs/guides/quick-start.md", import.meta.url);
    const [, printed = ""] =
      /```text\n(Model Gateway is listening.*?)```/s.exec(readFileSync(guide, "utf8")) ?? [];

    await site.page.locator(".key-help dt").first().waitFor({ state: "attached" });
    const labels = await site.page.locator(".key-help dt").allTextContents();
    const notes = await site.page.locator(".key-help dd").allTextContents();
    expect(labels.filter((label) => !printed.includes(`\n  ${label} `))).toEqual([]);
    const [, remark = ""] = /^ {2}Console .*\((.*)\)$/m.exec(printed) ?? [];
    // A gateway with an admin key of its operator prints the address alone.
    expect(notes[labels.indexOf("Console")]).toMatch(/^The address of this page\. With #code=/);
    expect(notes[labels.indexOf("Console")]).toContain(remark);
  });

  test("a link that is opened in the tab of the console is followed too", async () => {
    await site.page.goto(`${site.address}#code=${code}`);

    await site.page.getByText("The console link was used already").waitFor();
    expect(site.complaints(/^401 for /)).toEqual([]);
  });
});
