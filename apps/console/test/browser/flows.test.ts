import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { describeInBrowser } from "../../../docs/test/open-browser.js";
import { type FakeUpstream, startFakeUpstream } from "../../../gateway/test/fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../../gateway/test/gateway/admin-client.js";
import { type BuiltGateway, startBuiltGateway } from "../../../gateway/test/gateway/built.js";
import { testAdminKey, testKey } from "../../../gateway/test/gateway/test-gateway.js";
import { ConsolePage, operatorPages } from "./console-page.js";

let upstream: FakeUpstream;
let gateway: BuiltGateway;
let site: ConsolePage;

const hostile = "<img src=x onerror=alert(1)>";

describeInBrowser("the console, in a browser", () => {
  beforeAll(async () => {
    upstream = await startFakeUpstream({ script: { always: { width: 32 } } });
    gateway = await startBuiltGateway(`
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" }
  twin: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" }
models:
  pair: { type: embedding, targets: [{ upstream: fake, model: pair-a, space: pair }, { upstream: fake, model: pair-c, space: pair }, { upstream: twin, model: pair-b, space: pair }] }
  text-embedding-3-small:
    type: embedding
    description: "${hostile}"
    targets: [{ upstream: fake, model: text-embedding-3-small }]
  priced: { type: embedding, price: { perMillionTokens: 1000 }, targets: [{ upstream: fake, model: priced }] }
`);
    site = await ConsolePage.open(`${gateway.url}/console/`);
  });
  beforeEach(() => upstream.follow({ always: { width: 32 } }));
  afterAll(async () => {
    await site.close();
    await gateway.stop();
    await upstream.close();
  });

  test("the start prints the address of the console", () => {
    expect(gateway.stdout()).toMatch(new RegExp(`^ {2}Console +${site.address}$`, "m"));
  });

  test("a wrong key is refused with a sentence, and the address is kept", async () => {
    await site.arrive("#/usage?by=key");

    await site.page.getByLabel("Key").fill("not-a-key-0123456789");
    await site.page.getByRole("button", { name: "Sign in" }).click();

    await expect
      .poll(() => site.page.getByRole("alert").textContent())
      .toBe("This gateway does not know that key.");
    await expect.poll(() => new URL(site.page.url()).hash).toBe("#/usage?by=key");
  });

  test("a developer sees the own key, the models and the playground, and an operator's address leads to the key", async () => {
    await site.signIn(testKey, "#/usage?by=key");

    await site.loaded("Your key");
    const menu = await site.page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link")
      .allTextContents();
    expect(menu).toEqual(["Your key", "Models", "Embeddings", "Images"]);
    await site.choose("Embeddings");
    await site.page.goto(`${site.address}#/keys`);
    await site.loaded("Your key");
    await expect.poll(() => new URL(site.page.url()).hash).toBe("#/key");
  });

  test("an operator sees every page, and none fails", async () => {
    await site.signIn(testAdminKey);

    for (const name of operatorPages) {
      await site.choose(name);
      expect([name, await site.page.locator(".fault").count()]).toEqual([name, 0]);
    }
  });

  test("the overview asks three questions and follows the events", async () => {
    await site.signIn(testAdminKey, "#/configuration");
    await site.loaded("Configuration");
    // As after the first visit. The steps of a new gateway ask more.
    await site.page.evaluate(() => localStorage.setItem("model-gateway.first-steps", "over"));
    const before = site.addresses.length;

    await site.choose("Overview");
    await site.page.getByRole("heading", { name: /Requests per hour/ }).waitFor();

    const asked = site.addresses.slice(before).map((address) => new URL(address).pathname);
    expect(asked.filter((path) => path.startsWith("/admin/")).sort()).toEqual([
      "/admin/v1/alerts",
      "/admin/v1/usage",
      "/admin/v1/usage",
    ]);
  });

  test("texts of others are shown as text", async () => {
    await site.signIn(testAdminKey, "#/models");

    await site.page.getByText(hostile).waitFor();
    expect(await site.page.locator("img[src=x]").count()).toBe(0);
  });

  test("`Use it` has the id and the address of this gateway in it", async () => {
    await site.signIn(testAdminKey, "#/models");

    await site.page.getByRole("link", { name: "Use it text-embedding-3-small" }).click();

    const dialog = site.page.getByRole("dialog");
    const sample = await dialog.locator("pre").textContent();
    expect(sample).toContain(`curl ${gateway.url}/v1/embeddings`);
    expect(sample).toContain('"model": "text-embedding-3-small"');
    await dialog.getByRole("tab", { name: "Python" }).click();
    await expect.poll(() => dialog.locator("pre").textContent()).toContain(`base_url="${gateway.url}/v1"`);
    await site.page.keyboard.press("Escape");
    await expect.poll(() => dialog.count()).toBe(0);
  });

  test("texts become vectors, a table of cosines and a map", async () => {
    await site.signIn(testKey, "#/embeddings");

    await site.page.getByLabel("One text a line").fill("one\ntwo\none");
    await site.page.keyboard.press("Control+Enter");

    const rows = site.page.locator(".matrix tbody tr");
    await expect.poll(() => rows.count()).toBe(3);
    await expect.poll(() => rows.first().locator("td").last().textContent()).toBe("1.00");
    await site.page.getByText("3 vectors of 32 numbers").waitFor();
    await expect.poll(() => site.page.locator(".map circle").count()).toBe(3);
  });

  test("a failed upstream is shown with the gateway's message and the request id", async () => {
    upstream.follow({ always: { faults: [{ kind: "reply", status: 400 }] } });
    await site.signIn(testKey, "#/embeddings");

    await site.page.getByRole("button", { name: "Embed", exact: true }).click();

    const fault = site.page.getByRole("alert");
    await expect.poll(() => fault.textContent()).toContain("req_");
    await expect.poll(() => fault.textContent()).toContain("Scripted failure 400.");
  });

  test("a key is made, shown once, works, and is revoked", async () => {
    const name = `<b>${Date.now()}</b>`;
    await site.signIn(testAdminKey, "#/keys");

    await site.page.getByRole("link", { name: "Create key" }).first().click();
    await site.page.getByLabel("Name").fill(name);
    await site.page.getByLabel("Priority").selectOption("bulk");
    await site.page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    const secret = await site.page.locator(".secret code").textContent();
    await site.page.keyboard.press("Escape");
    await site.page.goBack();
    await expect.poll(() => site.page.locator(".secret").count()).toBe(1);
    await site.page.getByRole("button", { name: "I have stored it" }).click();
    expect((await send(secret)).status).toBe(200);
    expect(await site.page.content()).not.toContain(secret);

    await expect.poll(() => site.page.getByRole("row", { name }).textContent()).toContain("bulk");
    await site.page.getByRole("row", { name }).click();
    await site.page.getByRole("button", { name: "Revoke", exact: true }).click();
    const confirm = site.page.getByRole("button", { name: "Revoke for good" });
    expect(await confirm.isDisabled()).toBe(true);
    await site.page.getByLabel(`Type ${name} to go on`).fill(name);
    await confirm.click();

    await expect.poll(async () => (await send(secret)).status).toBe(401);
    await expect.poll(() => site.page.getByRole("row", { name }).textContent()).toContain("revoked");
  });

  test("a key for a colleague takes six steps, and its text is copied with one click", async () => {
    const name = `colleague ${Date.now()}`;
    await site.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await site.signIn(testAdminKey, "#/keys");
    const steps = [
      () => site.page.getByRole("link", { name: "Create key" }).first().click(),
      () => site.page.getByLabel("Name").fill(name),
      () => site.page.getByLabel("Only some").check(),
      () => site.page.getByLabel("text-embedding-3-small", { exact: true }).check(),
      () => site.page.getByRole("dialog").getByRole("button", { name: "Create key" }).click(),
      () => site.page.getByRole("button", { name: "Copy text to hand over" }).click(),
    ];
    for (const step of steps) await step();

    const secret = (await site.page.locator(".secret code").textContent()) ?? "";
    const text: string = await site.page.evaluate("navigator.clipboard.readText()");
    for (const part of [secret, `${gateway.url}/v1`, "Models:   text-embedding-3-small\n", "curl ", "/docs/"])
      expect(text).toContain(part);
    expect(steps).toHaveLength(6);
    await site.page.getByRole("button", { name: "I have stored it" }).click();
    expect(await site.page.content()).not.toContain(secret);
  });

  test("a key is changed and rotated at its own address, and both secrets work", async () => {
    const name = `rotated ${Date.now()}`;
    const headers = { authorization: `Bearer ${testAdminKey}` };
    const response = await gateway.sendJson("/admin/v1/keys", { name }, { headers });
    const { id, value, redacted_value } = (await response.json()) as Record<string, string>;
    await site.signIn(testAdminKey, `#/keys?key=${id}`);
    const sheet = site.page.getByRole("dialog", { name, exact: true });

    await sheet.getByRole("button", { name: "Change" }).click();
    await site.page.getByRole("dialog", { name: `Change ${name}` }).waitFor();
    await site.page.keyboard.press("Escape");
    await sheet.getByRole("button", { name: "Change" }).click();
    await site.page.getByLabel("Owner").fill("colleagues");
    await site.page.getByLabel("Only some").check();
    await site.page.getByLabel("Patterns").fill("text-*, gpt-image-*");
    await site.page.getByText(/text-\* matches \d+ models?; gpt-image-\* matches \d+ models?\./).waitFor();
    await site.page.getByText("Limits: none").click();
    await site.page.getByLabel("Images a day").fill("50");
    await site.page.getByRole("button", { name: "Save changes" }).click();
    await sheet.getByText("colleagues").waitFor();
    await sheet.getByText("text-*, gpt-image-*").waitFor();
    await sheet.getByText("Images a day").waitFor();

    await sheet.getByRole("button", { name: "Rotate", exact: true }).click();
    await site.page.getByRole("button", { name: "Rotate key" }).click();
    const secret = await site.page.locator(".secret code").textContent();
    await site.page.getByRole("button", { name: "I have stored it" }).click();
    await sheet.getByText(new RegExp(`^${redacted_value?.replaceAll(".", "\\.")}, until `)).waitFor();
    expect([(await send(secret)).status, (await send(value ?? "")).status]).toEqual([200, 200]);
  });

  test("a request appears, opens beside the list, and its address can be sent to a colleague", async () => {
    await gateway.sendJson("/v1/embeddings", { model: "text-embedding-3-small", input: "a" });
    await site.signIn(testAdminKey, "#/requests?operation=createEmbedding");
    const rows = site.page.locator("tbody tr");
    await expect
      .poll(async () => {
        await site.page.reload();
        await site.loaded("Requests");
        return rows.count();
      })
      .toBeGreaterThan(0);

    await rows.first().click();

    const sheet = site.page.getByRole("dialog");
    await sheet.getByText("text-embedding-3-small").waitFor();
    await expect.poll(() => site.page.url()).toContain("request=req_");
    await site.page.reload();
    await sheet.getByText("text-embedding-3-small").waitFor();
    await site.page.goBack();
    await expect.poll(() => sheet.count()).toBe(0);
    await expect.poll(() => new URL(site.page.url()).hash).toBe("#/requests?operation=createEmbedding");
  });

  test("a sheet is one step of the history, however it is closed", async () => {
    await site.signIn(testAdminKey, "#/usage");
    await site.choose("Requests");
    const sheet = site.page.getByRole("dialog");
    for (const _ of ["first", "second"]) {
      await site.page.locator("tbody tr").first().click();
      await sheet.waitFor();
      await site.page.keyboard.press("Escape");
      await expect.poll(() => sheet.count()).toBe(0);
    }

    await site.page.goBack();

    await site.loaded("Usage");
  });

  test("a new tab is signed in, and signing out there ends every tab", async () => {
    await site.signIn(testAdminKey, "#/requests");
    const opened = site.page.context().waitForEvent("page");
    await site.page.locator("tbody th a").first().click({ button: "middle" });
    const tab = await opened;

    await tab.getByRole("dialog", { name: "Request" }).getByText("text-embedding-3-small").waitFor();
    await tab.keyboard.press("Escape");
    await tab.getByRole("button", { name: "Sign out" }).click();

    await site.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await tab.close();
  });

  test("a failed request says why, with links to the code's page and to the upstream", async () => {
    upstream.follow({
      always: {
        faults: [
          {
            kind: "reply",
            status: 400,
            body: { error: { message: "Bad: a fox", code: "bad_word", param: "input" } },
          },
        ],
      },
    });
    const refused = await gateway.sendJson("/v1/embeddings", {
      model: "text-embedding-3-small",
      input: "a fox",
    });
    const id = refused.headers.get("x-request-id");
    await site.signIn(testAdminKey, `#/requests?request=${id}`);
    const sheet = site.page.getByRole("dialog");
    await expect
      .poll(async () => {
        await site.page.reload();
        await site.loaded("Requests");
        return sheet.getByText("Why it failed").count();
      })
      .toBe(1);

    const why = sheet.getByRole("region", { name: "Why it failed" });
    const text = await why.textContent();
    expect(text).toContain("The upstream refused the request with status 400 and code bad_word.");
    expect(text).not.toContain("a fox");
    const code = why.getByRole("link", { name: "upstream_rejected" });
    expect((await fetch((await code.getAttribute("href")) ?? "")).status).toBe(200);
    expect(await why.getByRole("row", { name: /^fake/ }).textContent()).toContain("400");
    await why.getByRole("link", { name: "fake" }).click();
    await site.loaded("Upstreams");
  });

  test("another caller's request is announced by the event stream, and not pushed into the list", async () => {
    await site.signIn(testAdminKey, "#/upstreams");
    await site.page.getByText(/Updated live\./).waitFor();
    await site.choose("Requests");
    const rows = site.page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBeGreaterThan(0);
    const shown = await rows.count();

    await gateway.sendJson("/v1/embeddings", { model: "text-embedding-3-small", input: "b" });
    const newer = site.page.getByRole("button", { name: /newer$/ });
    await newer.waitFor();
    expect(await rows.count()).toBe(shown);
    await newer.click();

    await expect.poll(() => rows.count()).toBeGreaterThan(shown);
  });

  test("filters that nothing fits can be cleared", async () => {
    await site.signIn(testAdminKey, "#/requests?model=no-such-model");

    await site.page.getByText("No request fits.").waitFor();
    await site.page.getByRole("link", { name: "Clear filters" }).click();

    await expect.poll(() => new URL(site.page.url()).hash).toBe("#/requests");
  });

  test("a target is tried from the page of upstreams", async () => {
    await site.signIn(testAdminKey, "#/upstreams");

    await site.page.getByRole("link", { name: "Try now fake / text-embedding-3-small" }).click();
    await site.page.getByRole("dialog").getByRole("button", { name: "Try now" }).click();

    await site.page.getByText(/It replied in/).waitFor();
  });

  test("a request is found by its id, from every page", async () => {
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

  test("a model is found by a part of its name", async () => {
    await site.signIn(testAdminKey, "#/usage");

    await site.page.getByRole("button", { name: "Search" }).click();
    await site.page.getByRole("combobox", { name: "Search" }).fill("3-small");
    await site.page.getByRole("option", { name: "text-embedding-3-small model" }).click();

    await site.loaded("Models");
    await site.page.getByRole("article", { name: "text-embedding-3-small" }).waitFor();
  });

  test("the rehearsal says which model would be lost", async () => {
    await site.signIn(testAdminKey, "#/upstreams");

    await site.page.getByLabel("fake is down").check();

    const row = site.page.getByRole("row", { name: /text-embedding-3-small lost/ });
    await row.waitFor();
    await site.page.reload();
    await row.waitFor();
  });

  test("the doctor compares the targets of a model, says what to do, and tolerates a dead one", async () => {
    await site.signIn(testAdminKey, "#/upstreams");
    const examine = site.page.getByRole("button", { name: "Examine" });
    const verdict = (text: RegExp) => site.page.getByRole("status").filter({ hasText: text }).waitFor();

    await examine.click();
    await site.page.getByRole("row", { name: /^fake \/ pair-c 32 .* 1\.0000 16 of 16 same/ }).waitFor();
    await site.page.getByRole("row", { name: /^twin \/ pair-b 32 .* 1\.0000 16 of 16 same/ }).waitFor();
    await verdict(/^Safe to mix: 3 targets give the same vectors, so nothing needs to be done\.$/);
    const asked = upstream.received
      .slice(-3)
      .map(({ body }) => `${body.model} ${(body.input as unknown[]).length}`);
    expect(asked.sort()).toEqual(["pair-a 16", "pair-b 16", "pair-c 16"]);

    await upstream.follow({
      always: { width: 32 },
      models: { "pair-a": { faults: [{ kind: "reply", status: 401 }] }, "pair-b": { width: 16 } },
    });
    await examine.click();
    await site.page.getByRole("row", { name: /^fake \/ pair-a – – – – no reply/ }).waitFor();
    await site.page.getByRole("row", { name: /^twin \/ pair-b 16 .* different width/ }).waitFor();
    await verdict(
      /^Do not mix: twin \/ pair-b gives .*; fake \/ pair-a did not reply, so examine again later\.$/,
    );
  });

  test("a caller sees the own key, its limits and its requests, and no others", async () => {
    const headers = { authorization: `Bearer ${testAdminKey}` };
    const body = { name: "own view", limits: { requests_per_minute: 5 }, budget: { usd: 2, per: "month" } };
    const response = await gateway.sendJson("/admin/v1/keys", body, { headers });
    const { value } = (await response.json()) as Record<string, string>;
    const own = { headers: { authorization: `Bearer ${value}` } };
    const sent = await gateway.sendJson("/v1/embeddings", { model: "no-such-model", input: "a" }, own);
    const id = sent.headers.get("x-request-id") ?? "";
    const recorded = async () => (await gateway.send(`/v1/key/requests/${id}`, own)).status;
    await expect.poll(recorded).toBe(200);

    await site.signIn(value ?? "");
    await site.loaded("Your key");

    await site.page.getByText("no budget").waitFor({ state: "detached" });
    await site.page.getByText("of $2.00 a month").waitFor();
    await site.page.getByRole("row", { name: "Requests a minute 5" }).waitFor();
    const rows = site.page.getByRole("region", { name: "Requests of this key" }).locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(1);
    await rows.first().click();
    const sheet = site.page.getByRole("dialog", { name: "Request" });
    await sheet.getByText(id).waitFor();
    await sheet.getByText("no-such-model", { exact: true }).waitFor();
    await sheet.getByRole("link", { name: "model_not_found" }).waitFor();
    await expect.poll(() => new URL(site.page.url()).hash).toContain(`request=${id}`);
  });

  test("what a team has spent this month is three steps away, and is what its budget says", async () => {
    const admin = new AdminClient(gateway.url);
    const budget = { usd: 1, per: "month" } as const;
    const { id, value } = await admin.createKey({ name: "crawler", owner: "search team", budget });
    // A letter is a token and costs $0.001.
    const body = { model: "priced", input: "a".repeat(120) };
    await gateway.sendJson("/v1/embeddings", body, { headers: { authorization: `Bearer ${value}` } });
    await admin.untilShipped();
    await site.signIn(testAdminKey);

    const steps = [
      () => site.choose("Usage"),
      () => site.page.getByLabel("Time", { exact: true }).selectOption("month"),
      () => site.page.getByLabel("By", { exact: true }).selectOption("owner"),
    ];
    for (const step of steps) await step();
    await site.page.getByRole("row", { name: /^search team \$0\.12 / }).waitFor();
    expect(steps).toHaveLength(3);

    // From there on, each name leads to what is behind it.
    const open = (name: string) => site.page.getByRole("link", { name, exact: true }).click();
    await open("search team");
    await site.page.getByRole("row", { name: /^crawler \$0\.12 \$0\.12 of \$1\.00 a month/ }).waitFor();
    await site.page.locator(".budget").getByText("$0.12 of $1.00").waitFor();
    await open("crawler");
    await site.page.getByRole("row", { name: /^priced \$0\.12 / }).waitFor();
    await open("priced");
    await site.loaded("Requests");
    expect(new URL(site.page.url()).hash).toBe(`#/requests?time=month&key=${id}&model=priced`);
    await expect.poll(() => site.page.locator("tbody tr").count()).toBe(1);
    await site.page.goBack();
    await site.page.getByText("owner search team · key crawler").waitFor();
  });

  test("a session that the gateway has ended leads to the sign-in once, and back to the page after it", async () => {
    await site.signIn(testAdminKey, "#/usage?by=key");
    await site.loaded("Usage");

    await fetch(`${gateway.url}/admin/v1/sessions/current`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${await site.token()}` },
    });

    await site.page.getByText("Your session is over.").waitFor();
    await site.page.getByLabel("Key").fill(testAdminKey);
    await site.page.getByRole("button", { name: "Sign in" }).click();
    await site.loaded("Usage");
    await expect.poll(() => site.page.getByLabel("By", { exact: true }).inputValue()).toBe("key");
  });

  test("signing out ends the session on the server and leaves nothing in the browser", async () => {
    await site.signIn(testAdminKey);
    const token = await site.token();

    await site.page.getByRole("button", { name: "Sign out" }).click();

    await site.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await expect.poll(async () => (await send(token)).status).toBe(401);
    expect(await site.page.evaluate("JSON.stringify({ ...sessionStorage })")).toBe("{}");
  });

  test("neither a key nor a token was in an address, in localStorage or in the log", async () => {
    await site.signIn(testAdminKey);
    const token = await site.token();
    const kept = await site.page.evaluate("JSON.stringify({ ...localStorage }) + document.cookie");

    for (const secret of [testAdminKey, testKey, token]) {
      expect(kept).not.toContain(secret);
      expect(site.addresses.filter((address) => address.includes(secret))).toEqual([]);
      expect(gateway.stdout()).not.toContain(secret);
    }
  });

  test("nothing left the origin, and no policy was broken", () => {
    const { origin } = new URL(gateway.url);

    const elsewhere = site.addresses.filter((address) => {
      const { protocol } = new URL(address);
      return protocol !== "blob:" && protocol !== "about:" && new URL(address).origin !== origin;
    });
    expect(elsewhere).toEqual([]);
    expect(site.complaints(/^(400|401|502) for /)).toEqual([]);
  });
});

function send(key: string | null): Promise<Response> {
  return gateway.send("/v1/models", { headers: { authorization: `Bearer ${key}` } });
}
