import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { html, trustedHtml } from "../frame/html.js";
import { drawOperationPage } from "./operation-page.js";
import { operationsOf, References } from "./spec-document.js";

const bundle = createRequire(import.meta.url).resolve("@model-gateway/spec/openapi.json");
const document = JSON.parse(readFileSync(bundle, "utf8"));
const drawing = {
  references: new References(document),
  highlight: (source: string) => trustedHtml(source),
  drawText: (text: string) => html`${text}`,
  errorCodes: {},
};

test("a form shows its example, and the form to try it has the example's texts", () => {
  const operation = operationsOf(document).find((one) => one.operationId === "createImageEdit");
  if (operation === undefined) throw new Error("The document has no createImageEdit.");

  const drawn = drawOperationPage(operation, drawing).body.text;

  expect(drawn).toContain("model=local-sketch\nprompt=add a rocket\nimage=@fox.png");
  expect(drawn).toMatch(/data-part="form" name="model"[^>]* value="local-sketch"/);
});
