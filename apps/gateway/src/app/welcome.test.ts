import { expect, test } from "vitest";
import { type Greeting, welcome } from "./welcome.js";

const model = (id: string, rest: object = {}) =>
  ({ id, type: "embedding", status: "ready", ...rest }) as const;
const greeting: Greeting = {
  url: "http://127.0.0.1:8080",
  servesConsole: true,
  models: [{ id: "local-sketch", type: "image", status: "ready" }, model("gte-small")],
  key: { created: "mg_key", lasting: "GATEWAY_KEY sets a lasting one" },
};

test("the greeting is a table and a request that is ready to paste", () => {
  expect(welcome({ ...greeting, adminKey: "mg_admin_key" })).toBe(`
Model Gateway is listening on http://127.0.0.1:8080

  Base URL   http://127.0.0.1:8080/v1  (for OpenAI clients)
  Console    http://127.0.0.1:8080/console/
  Docs       http://127.0.0.1:8080/docs/
  API key    mg_key  (for this run; GATEWAY_KEY sets a lasting one)
  Admin key  mg_admin_key  (store it now: it is not shown again)
  Models     local-sketch, gte-small

Try it:

  curl http://127.0.0.1:8080/v1/embeddings \\
    -H "Authorization: Bearer mg_key" \\
    -H "Content-Type: application/json" \\
    -d '{"model":"gte-small","input":"The cat sat on the mat."}'

`);
});

test("keys of a file are not shown, and a key of the environment is its variable", () => {
  expect(welcome({ ...greeting, key: undefined })).not.toMatch(/API key|curl/);
  expect(welcome({ ...greeting, key: { variable: "GATEWAY_KEY" } })).toMatch(
    /API key +\$GATEWAY_KEY {2}\(from the environment\)[\s\S]*Bearer \$GATEWAY_KEY"/,
  );
});

test("without a key in the file, the table has the command that creates one, and no request", () => {
  const text = welcome({ ...greeting, key: { missing: "model-gateway keys create <name>" } });

  expect(text).toContain(
    "  API key   none in the configuration  (to create one: model-gateway keys create <name>)\n",
  );
  expect(text).not.toContain("curl");
});

test("a console that is not served has no line, and further lines follow the table", () => {
  const rows = [{ label: "Found", value: "openai", note: "OPENAI_API_KEY" }];

  const text = welcome({ ...greeting, servesConsole: false, rows });

  expect(text).not.toContain("/console/");
  expect(text).toMatch(/\n {2}Models {4}.*\n {2}Found {5}openai {2}\(OPENAI_API_KEY\)\n/);
});

test("the console link has the one-time code, where there is one", () => {
  expect(welcome({ ...greeting, signInCode: "mg_code_1" })).toContain(
    "  Console   http://127.0.0.1:8080/console/#code=mg_code_1  (one sign-in, 10 minutes)\n",
  );
  expect(welcome({ ...greeting, signInCode: "mg_code_1", servesConsole: false })).not.toContain("mg_code_1");
});

test("a long list of models is cut", () => {
  const models = Array.from({ length: 9 }, (_, number) => model(`m${number}`));

  expect(welcome({ ...greeting, models })).toMatch(/Models +m0, m1, m2, m3, m4, m5 and 3 more\n/);
});
