import { expect, test } from "vitest";
import { parseCommandLine, UsageError, usage } from "./command-line.js";

test.each([
  ["", { name: "serve", config: undefined }],
  ["--config a.yaml", { name: "serve", config: "a.yaml" }],
  ["--config=a.yaml", { name: "serve", config: "a.yaml" }],
  ["check", { name: "check", file: undefined }],
  ["check a.yaml", { name: "check", file: "a.yaml" }],
  ["check --config a.yaml", { name: "check", file: "a.yaml" }],
  ["doctor", { name: "doctor", file: undefined }],
  ["doctor a.yaml", { name: "doctor", file: "a.yaml" }],
  ["--help", { name: "help" }],
  ["check -h", { name: "help" }],
  ["--version", { name: "version" }],
  [
    "import litellm c.yaml",
    { name: "import", import: { from: "litellm", file: "c.yaml", out: undefined, force: false } },
  ],
  [
    "import litellm c.yaml --out g.yaml --force",
    { name: "import", import: { from: "litellm", file: "c.yaml", out: "g.yaml", force: true } },
  ],
])("%s", (line, command) => {
  expect(parseCommandLine(line.split(" ").filter(Boolean))).toEqual(command);
});

test.each([
  ["--confg a.yaml", 'Unknown option "--confg". Did you mean --config?'],
  ["--no-such-option", 'Unknown option "--no-such-option".'],
  ["-x", 'Unknown option "-x".'],
  ["chek", 'Unknown command "chek". Did you mean check?'],
  ["gateway.yaml", 'Unknown command "gateway.yaml".'],
  ["--config", "The option --config needs a value: --config <file>."],
  ["--config --help", "The option --config needs a value: --config <file>."],
  ["--help=yes", "The option --help takes no value."],
  ["--out g.yaml", "The option --out does not belong to the command that serves requests."],
  ["check --force", "The option --force does not belong to the command check."],
  ["check a.yaml b.yaml", "check takes one file at a time."],
  ["doctor a.yaml --config b.yaml", "doctor takes one file at a time."],
  ["import", "import needs to know from what: litellm."],
  ["import litelm c.yaml", 'Unknown source "litelm". Did you mean litellm?'],
  ["import litellm", "import litellm takes one file: import litellm config.yaml."],
  ["import litellm c.yaml --force", "--force belongs to --out."],
])("%s is refused, and the message points to --help", (line, message) => {
  const parse = () => parseCommandLine(line.split(" "));

  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(`${message}\nThe option --help lists all commands and options.`);
});

test("the usage names every option", () => {
  for (const option of ["--config", "--out", "--force", "--help", "--version"])
    expect(usage).toContain(`  ${option} `);
});
