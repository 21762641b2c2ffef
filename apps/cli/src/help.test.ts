import { expect, test } from "vitest";
import { commandNames, commandSpec } from "./command-table.js";
import { helpText, optionForm, writtenForm } from "./help.js";
import { commonOptions, options } from "./option-table.js";

test("the help begins with the four commands that matter, and names all in lines that fit a terminal", () => {
  const text = helpText();
  const listed = [...text.matchAll(/^ {2}(\S.*?) {2,}\S/gm)].map(([, name]) => name);

  expect(listed.slice(0, 4)).toEqual(["serve", "try <text>", "status", "connect <tool>"]);
  expect(listed.slice(0, commandNames.length)).toEqual(commandNames.map(writtenForm));
  expect(text.split("\n").filter((line) => line.length > 120)).toEqual([]);
});

test.each(commandNames)("the help of %s has its arguments and its options, and no other", (name) => {
  const text = helpText(name);
  const own = [...commandSpec(name).options, ...commonOptions];
  const [, rows = ""] = text.split("\nOptions:\n");
  const listed = [...rows.matchAll(/^ {2}(--\S+(?: <.+?>)?) {2,}/gm)].map(([, option]) => option);

  expect(listed).toEqual(own.map(optionForm));
  expect(text).toContain(
    name === "serve"
      ? "npx @model-gateway/gateway [serve] [options]"
      : `npx @model-gateway/gateway ${writtenForm(name)} `,
  );
  expect(text).toContain(commandSpec(name).summary);
});

test("a command with variants explains them together", () => {
  expect(helpText("keys")).toContain("\n  keys revoke <key>       Revoke an API key");
  expect(helpText("import")).toContain("\n  import litellm <file>  Write a gateway.yaml");
});

test("each option belongs to a command, and each summary is one sentence", () => {
  const used = new Set<string>([
    ...commandNames.flatMap((name) => commandSpec(name).options),
    ...commonOptions,
  ]);

  expect(Object.keys(options).filter((name) => !used.has(name))).toEqual([]);
  for (const name of commandNames) expect(commandSpec(name).summary).toMatch(/^[A-Z].{10,140}\.$/);
});
