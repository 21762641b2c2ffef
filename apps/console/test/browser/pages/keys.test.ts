import { expect, test } from "vitest";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import { testAdminKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "../suite-console.js";

describeInBrowser("the page of keys", () => {
  const suite = suiteConsole();
  const listModels = (key: string | null) =>
    suite.gateway.send("/v1/models", { headers: { authorization: `Bearer ${key}` } });

  test("a key is made, shown once, works, and is revoked", async () => {
    const { site } = suite;
    const name = `<b>${Date.now()}</b>`;
    await site.signIn(testAdminKey, "#/keys");

    await site.page.getByRole("link", { name: "Create key" }).first().click();
    await site.page.getByLabel("Name").fill(name);
    await site.page.getByLabel("Priority").selectOption("bulk");
    await site.page.getByLabel("Only some").check();
    const send = site.page.getByRole("dialog").getByRole("button", { name: "Create key" });
    await send.click();
    const fault = site.page.getByText("Tick a model, write a pattern, or allow all models.");
    await fault.waitFor();
    await site.page.getByLabel("text-embedding-3-small").check();
    await fault.waitFor({ state: "detached" });
    await send.click();
    const secret = await site.page.locator(".secret code").textContent();
    await site.page.getByText(/^Other machines cannot reach 127\.0\.0\.1:\d+\. .* Set publicUrl /).waitFor();
    await site.page.keyboard.press("Escape");
    await site.page.goBack();
    await expect.poll(() => site.page.locator(".secret").count()).toBe(1);
    await site.page.getByRole("button", { name: "I have stored it" }).click();
    expect((await listModels(secret)).status).toBe(200);
    await expect.poll(() => site.page.content()).not.toContain(secret);

    await expect.poll(() => site.page.getByRole("row", { name }).textContent()).toContain("bulk");
    await site.page.getByRole("row", { name }).click();
    await site.page.getByRole("button", { name: "Revoke", exact: true }).click();
    const confirm = site.page.getByRole("button", { name: "Revoke for good" });
    expect(await confirm.isDisabled()).toBe(true);
    await site.page.getByLabel(`Type ${name} to go on`).fill(name);
    await confirm.click();

    await expect.poll(async () => (await listModels(secret)).status).toBe(401);
    await expect.poll(() => site.page.getByRole("row", { name }).textContent()).toContain("revoked");
  });

  test("a key is changed and rotated at its own address, and both secrets work", async () => {
    const { site, gateway } = suite;
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
    expect([(await listModels(secret)).status, (await listModels(value ?? "")).status]).toEqual([200, 200]);
  });
});
