import { expect, test } from "vitest";
import { parseCommandLine, UsageError } from "./command-line.js";
import { commandNames, commandSpec } from "./command-table.js";

test.each([
  ["", { name: "serve", "no-detect": false, config: undefined, log: undefined }],
  ["--config a.yaml", { name: "serve", "no-detect": false, config: "a.yaml", log: undefined }],
  ["--config=a.yaml", { name: "serve", "no-detect": false, config: "a.yaml", log: undefined }],
  ["--log text", { name: "serve", "no-detect": false, config: undefined, log: "text" }],
  ["--host ::1 --port 0", { name: "serve", "no-detect": false, host: "::1", port: "0" }],
  ["--no-detect", { name: "serve", "no-detect": true, config: undefined, log: undefined }],
  ["check --no-detect", { name: "check", "no-detect": true, file: undefined }],
  ["init", { name: "init", out: "gateway.yaml", force: false, yes: false, "no-detect": false }],
  [
    "init --out g.yaml --force --yes",
    { name: "init", out: "g.yaml", force: true, yes: true, "no-detect": false },
  ],
  ["init --force", { name: "init", out: "gateway.yaml", force: true, yes: false, "no-detect": false }],
  ["check", { name: "check", "no-detect": false, file: undefined }],
  ["check a.yaml", { name: "check", "no-detect": false, file: "a.yaml" }],
  ["check --config a.yaml", { name: "check", "no-detect": false, file: "a.yaml" }],
  ["doctor", { name: "doctor", file: undefined }],
  ["doctor a.yaml", { name: "doctor", file: "a.yaml" }],
  ["serve --config a.yaml", { name: "serve", "no-detect": false, config: "a.yaml", log: undefined }],
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
  ["status --json", { name: "status", json: true }],
  ["models mini --url http://a", { name: "models", filter: "mini", url: "http://a", json: false }],
  [
    "try hello --model m",
    { name: "try", text: "hello", model: "m", image: false, force: false, json: false },
  ],
  ["try -- -5", { name: "try", text: "-5", image: false, force: false, json: false }],
  [
    "try fox --image --out fox.png --size 64x64",
    { name: "try", text: "fox", image: true, out: "fox.png", size: "64x64", force: false, json: false },
  ],
  [
    "keys create web --requests-per-minute 60",
    { name: "keys create", "key-name": "web", "requests-per-minute": 60, json: false },
  ],
  ["keys rotate web --overlap 0", { name: "keys rotate", key: "web", overlap: "0", json: false }],
  ["keys revoke web", { name: "keys revoke", key: "web", json: false }],
  ["keys --help", { name: "help", of: "keys" }],
  ["connect n8n", { name: "connect", tool: "n8n", image: false, json: false }],
  ["logs -f --limit 5", { name: "logs", follow: true, limit: 5, failed: false, json: false }],
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
  ["--port", "The option --port needs a value: --port <port>."],
  ["--port -1", "The option --port needs a value: --port <port>."],
  ["--port http", "The option --port needs a number from 0 to 65535."],
  ["--port 65536", "The option --port needs a number from 0 to 65535."],
  ["check --port 9000", "The option --port does not belong to the command check."],
  ["check --log json", "The option --log does not belong to the command check."],
  ["--help=yes", "The option --help takes no value."],
  ["--out g.yaml", "The option --out does not belong to the command that serves requests."],
  ["doctor --no-detect", "The option --no-detect does not belong to the command doctor."],
  ["check --force", "The option --force does not belong to the command check."],
  ["check a.yaml b.yaml", "check takes one file at a time."],
  ["doctor a.yaml --config b.yaml", "doctor takes one file at a time."],
  ["chek --help", 'Unknown command "chek". Did you mean check?'],
  ["import", "import needs one more word: import litellm, import bifrost."],
  ["import litelm c.yaml", 'Unknown command "import litelm". Did you mean import litellm?'],
  ["import litellm", "import litellm needs <file>: import litellm <file>."],
  ["import litellm a.yaml b.yaml", "import litellm takes one file at a time."],
  ["import litellm c.yaml --force", "--force belongs to --out."],
  ["try", "try needs <text>: try <text>."],
  ["try fox --size 64x64", "--size belongs to --image."],
  ["keys", "keys needs one more word: keys create, keys list, keys rotate, keys revoke."],
  ["keys lst", 'Unknown command "keys lst". Did you mean keys list?'],
  ["logs --limit 0", "The option --limit needs a whole number above 0."],
  ["logs --limit ten", "The option --limit needs a whole number above 0."],
  ["keys create web --priority high", "The option --priority takes one of these values: interactive, bulk."],
  ["connect", "connect needs <tool>: open-webui, langchain, continue, dify, n8n."],
  [
    "connect n9n",
    'Unknown tool "n9n". Did you mean n8n? connect knows: open-webui, langchain, continue, dify, n8n.',
  ],
])("%s is refused, and the message points to --help", (line, message) => {
  const parse = () => parseCommandLine(line.split(" "));

  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(`${message}\nThe option --help lists all commands and options.`);
});

test("no argument hides the name of its command, and none has two meanings", () => {
  for (const name of commandNames) {
    const { positionals, options } = commandSpec(name);
    const names = [...positionals.map((one) => one.slice(1, -1)), ...options];

    expect(new Set(["name", ...names]).size, name).toBe(names.length + 1);
  }
});
