import { expect, test } from "vitest";
import { parseCommandLine, UsageError } from "./command-line.js";

test.each([
  ["", { name: "serve", config: undefined, log: undefined }],
  ["--config a.yaml", { name: "serve", config: "a.yaml", log: undefined }],
  ["--config=a.yaml", { name: "serve", config: "a.yaml", log: undefined }],
  ["--log text", { name: "serve", config: undefined, log: "text" }],
  ["check", { name: "check", file: undefined }],
  ["check a.yaml", { name: "check", file: "a.yaml" }],
  ["check --config a.yaml", { name: "check", file: "a.yaml" }],
  ["doctor", { name: "doctor", file: undefined }],
  ["doctor a.yaml", { name: "doctor", file: "a.yaml" }],
  ["serve --config a.yaml", { name: "serve", config: "a.yaml", log: undefined }],
  ["--help", { name: "help" }],
  ["check -h", { name: "help", of: "check" }],
  ["import --help", { name: "help", of: "import" }],
  ["import litellm --help", { name: "help", of: "import litellm" }],
  ["--version", { name: "version" }],
  ["import litellm c.yaml", { name: "import litellm", file: "c.yaml", out: undefined, force: false }],
  [
    "import litellm c.yaml --out g.yaml --force",
    { name: "import litellm", file: "c.yaml", out: "g.yaml", force: true },
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
  ["--log xml", "The option --log takes one of these values: json, text."],
  ["check --log json", "The option --log does not belong to the command check."],
  ["--help=yes", "The option --help takes no value."],
  ["--out g.yaml", "The option --out does not belong to the command that serves requests."],
  ["check --force", "The option --force does not belong to the command check."],
  ["check a.yaml b.yaml", "check takes one file at a time."],
  ["doctor a.yaml --config b.yaml", "doctor takes one file at a time."],
  ["chek --help", 'Unknown command "chek". Did you mean check?'],
  ["import", "import needs one more word: import litellm."],
  ["import litelm c.yaml", 'Unknown command "import litelm". Did you mean import litellm?'],
  ["import litellm", "import litellm needs <file>: import litellm <file>."],
  ["import litellm a.yaml b.yaml", "import litellm takes one file at a time."],
  ["import litellm c.yaml --force", "--force belongs to --out."],
])("%s is refused, and the message points to --help", (line, message) => {
  const parse = () => parseCommandLine(line.split(" "));

  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(`${message}\nThe option --help lists all commands and options.`);
});
