import { expect, test } from "vitest";
import { commandNames, commandSpec, options } from "./command-table.js";
import { helpText } from "./help.js";

test("the help names every command and every option, in lines that fit a terminal", () => {
  const text = helpText();

  for (const name of commandNames) expect(text).toContain(commandSpec(name).summary.split(" ", 3).join(" "));
  for (const option of Object.keys(options)) expect(text).toContain(`  --${option} `);
  expect(text.split("\n").filter((line) => line.length > 120)).toEqual([]);
});

test("the help of a command has its arguments and its options alone", () => {
  expect(helpText("import litellm")).toBe(
    [
      "Usage: model-gateway import litellm <file> [options]",
      "",
      "Write a gateway.yaml from the configuration of a LiteLLM proxy.",
      "",
      "Comments in the new file name the settings that are not imported, and the docs page that helps.",
      "",
      "Options:",
      "  --out <file>  Write to this file instead of standard output.",
      "  --force       Overwrite the file of --out.",
      "  --help        Print this text.",
      "  --version     Print the version.",
    ].join("\n"),
  );
  expect(helpText("import")).toContain("\n  import litellm <file>  Write a gateway.yaml");
});

test("each summary is one sentence, so that the list stays a list", () => {
  for (const name of commandNames) expect(commandSpec(name).summary).toMatch(/^[A-Z].{10,140}\.$/);
});
