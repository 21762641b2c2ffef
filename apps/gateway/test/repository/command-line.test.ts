import { readFileSync } from "node:fs";
import { commandNames, commandSpec, connectedTools } from "@model-gateway/cli/command-table";
import { optionForm, writtenForm } from "@model-gateway/cli/help";
import { commonOptions, connectionOptions, type OptionName, options } from "@model-gateway/cli/option-table";
import { expect, test } from "vitest";

const guide = readFileSync(new URL("../../../docs/guides/command-line.md", import.meta.url), "utf8");

/** The cells of the table under a heading, without its head. */
function tableUnder(heading: string): string[][] {
  const [, section = ""] = guide.split(`\n## ${heading}\n`);
  const rows =
    section
      .split("\n## ")[0]
      ?.split("\n")
      .filter((line) => line.startsWith("|")) ?? [];
  return rows.slice(2).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test("the guide lists the commands of the table, in the order of the help", () => {
  expect(tableUnder("Commands").map(([command]) => command)).toEqual(
    commandNames.map((name) => `\`${writtenForm(name)}\``),
  );
});

test("the guide lists every option, and the commands that have it", () => {
  expect(tableUnder("Options").map(([option, owners]) => [option, owners])).toEqual(
    (Object.keys(options) as OptionName[]).map((name) => [`\`${optionForm(name)}\``, ownersOf(name)]),
  );
});

test("the guide explains the tools of connect", () => {
  expect(tableUnder("Connect another program").map(([tool]) => tool)).toEqual(
    connectedTools.map((tool) => `\`${tool}\``),
  );
});

function ownersOf(option: OptionName): string {
  if (commonOptions.some((name) => name === option)) return "all";
  const isRemote = connectionOptions.some((name) => name === option);
  const owners = commandNames.filter((name) => {
    const { options: own } = commandSpec(name);
    return own.includes(option) && !(isRemote && own.includes("url"));
  });
  return [...owners.map((name) => `\`${name}\``), ...(isRemote ? ["remote"] : [])].join(", ");
}
