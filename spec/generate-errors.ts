/**
 * Writes the enum of the codes and the tables for programs from `errors.yaml`, and the responses from
 * `error-responses.yaml`. The document refers to the enum and to the responses, so this runs first.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { parse, stringify } from "yaml";
import { errorResponses } from "./error-responses.js";

interface ErrorRow {
  readonly status: number;
  readonly type: string;
  readonly retry: "never" | "elsewhere" | "anywhere";
  readonly callerRetry: "never" | "later" | "careful";
  readonly meaning: string;
  readonly remedy: string;
  readonly message?: string;
}

const note = "Written by `pnpm generate`. Do not edit.";
const rows = Object.entries<ErrorRow>(parse(readFileSync("errors.yaml", "utf8")));
const responses = errorResponses(new Map(rows.map(([code, { callerRetry }]) => [code, callerRetry])));

writeFileSync("generated/ErrorCode.yaml", `# ${note}\n${asYaml(errorCodeSchema())}`);
rmSync("generated/responses", { recursive: true, force: true });
mkdirSync("generated/responses");
for (const [name, response] of Object.entries(responses))
  writeFileSync(`generated/responses/${name}.yaml`, `# ${note}\n${asYaml(response)}`);
writeFileSync("generated/errors.js", `// ${note}\n\n${table()}\n${messages()}`);
writeFileSync("generated/errors.d.ts", `// ${note}\n\n${tableType()}\n${messagesType()}`);
writeFileSync("generated/error-help.js", `// ${note}\n\n${help()}`);
writeFileSync("generated/error-help.d.ts", `// ${note}\n\n${helpType()}`);

function asYaml(value: object): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

function errorCodeSchema(): object {
  return {
    type: "string",
    description:
      "The error code. Programs should decide by it. The errors guide explains every code, and each operation lists its own.",
    enum: rows.map(([code]) => code),
    examples: ["missing_required_parameter"],
  };
}

/** Without the help texts: the gateway needs none, and the console loads them when an error is shown. */
function table(): string {
  const lines = rows.map(([code, row]) => `  ${code}: { ${facts(row).join(", ")} },\n`);
  return `export const errorTable = {\n${lines.join("")}};\n`;
}

function tableType(): string {
  const lines = rows.map(([code, row]) => `  readonly ${code}: { ${facts(row, "readonly ").join("; ")} };\n`);
  return `/** Every error that the gateway can return. */\nexport declare const errorTable: {\n${lines.join("")}};\n`;
}

function facts({ status, type, retry, callerRetry }: ErrorRow, prefix = ""): string[] {
  return Object.entries({ status, type, retry, callerRetry }).map(
    ([name, value]) => `${prefix}${name}: ${JSON.stringify(value)}`,
  );
}

function messages(): string {
  const lines = rows.flatMap(([code, { message }]) => {
    if (message === undefined) return [];
    const names = namesIn(message).join(", ");
    return [`  ${code}: (${names === "" ? "" : `{ ${names} }`}) => ${asTemplate(message)},\n`];
  });
  return `export const errorMessages = {\n${lines.join("")}};\n`;
}

function messagesType(): string {
  const lines = rows.flatMap(([code, { message }]) =>
    message === undefined ? [] : [`  readonly ${code}: { ${valuesIn(message).join("; ")} };\n`],
  );
  return `/** The names in braces of each message. Every one has \`param\`, so that it can be read from any. */
export interface MessageValues {\n${lines.join("")}}

export declare const errorMessages: {
  readonly [code in keyof MessageValues]: (values: MessageValues[code]) => string;
};
`;
}

function valuesIn(message: string): string[] {
  const names = namesIn(message);
  const fields = names.map((name) => `readonly ${name}: ${name === "param" ? "string" : "string | number"}`);
  return names.includes("param") ? fields : ["readonly param?: undefined", ...fields];
}

/** The names in braces, each once. */
function namesIn(message: string): string[] {
  return [...new Set([...message.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))];
}

function asTemplate(message: string): string {
  return `\`${message.replace(/[`\\]|\$(?=\{)/g, "\\$&").replace(/\{(\w+)\}/g, "$${$1}")}\``;
}

function help(): string {
  const lines = rows.map(
    ([code, { meaning, message }]) => `  ${code}: ${JSON.stringify({ meaning, message })},\n`,
  );
  const remedies = rows.map(([code, { remedy }]) => `  ${code}: ${JSON.stringify(remedy)},\n`);
  return `export const errorHelp = {\n${lines.join("")}};\n\nexport const errorRemedies = {\n${remedies.join("")}};\n`;
}

function helpType(): string {
  return `import type { errorTable } from "./errors.js";

/** The pages of the site. Backticks mark code. */
export declare const errorHelp: {
  readonly [code in keyof typeof errorTable]: {
    /** The cause. */
    readonly meaning: string;
    /** The text of the response, with names in braces, where several places have the same. */
    readonly message?: string;
  };
};

/** The action to take after each error. The console shows nothing else of the texts, and so weighs less. */
export declare const errorRemedies: { readonly [code in keyof typeof errorTable]: string };
`;
}
