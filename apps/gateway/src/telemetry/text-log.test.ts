import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import { expect, test } from "vitest";
import { createLog, type FinishedLogEntry, type LoggedSummary } from "./log.js";
import { createTextRequestLog, textDestination } from "./text-log.js";

const now = () => new Date(2026, 10, 17, 9, 5, 3).getTime();
const secrets = new SecretFilter(["sk-upstream-0123456789"]);

function createTextLog({ level = "info", hasColour = false } = {}) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const style = { hasColour, now };
  const log = createLog(level, textDestination(destination, style), secrets);
  return { lines, log, logRequest: createTextRequestLog(log, { destination, secrets, style }) };
}

function finished(
  summary: Partial<LoggedSummary> = {},
  rest: Partial<FinishedLogEntry> = {},
): FinishedLogEntry {
  return {
    arrival: { id: "first", clientRequestId: undefined },
    summary: { operation: "createEmbedding", requestBytes: 1, responseBytes: 2, ...summary } as LoggedSummary,
    method: "POST",
    url: "/v1/embeddings",
    status: 200,
    ms: 11.6,
    ...rest,
  };
}

test("a request is one line: time, method and path, model, status, duration, upstream", () => {
  const { lines, logRequest } = createTextLog();

  logRequest(finished({ model: "gte-small", upstream: "local" }));
  logRequest(finished({ model: "gte-small", upstream: "local", cache: "hit" }, { ms: 0.84 }));
  logRequest(finished({ model: "gpt-5", errorCode: "model_not_found" }, { status: 404, ms: 1200 }));

  expect(lines).toEqual([
    "09:05:03  POST /v1/embeddings                gte-small                 200     12 ms  local\n",
    "09:05:03  POST /v1/embeddings                gte-small                 200    0.8 ms  local  cache\n",
    "09:05:03  POST /v1/embeddings                gpt-5                     404   1200 ms  model_not_found\n",
  ]);
});

test("text of a caller cannot begin a line, move the cursor or turn the text around", () => {
  const { lines, logRequest, log } = createTextLog();

  logRequest(
    finished(
      { model: "a\u001b[2J\nb\u202e\u0085", errorCode: "model_not_found" },
      { url: `/v1/\r${"x".repeat(500)}`, status: 404 },
    ),
  );
  log.warn({ model: "a\nb" }, "A sentence with \u001b[31m.");

  expect(lines[0]).toContain("a\\x1b[2J\\x0ab\\u{202e}\\x85");
  expect(lines[0]?.length).toBeLessThan(300);
  expect(lines[1]).toBe(
    "09:05:03  Warning: A sentence with \\x1b[31m.  (model a\\nb)\n".replace("\\n", "\\x0a"),
  );
  expect(lines.join("").match(/\n/g)).toHaveLength(2);
});

test("neither a query nor a secret is in a line", () => {
  const { lines, logRequest } = createTextLog();

  logRequest(
    finished(
      { model: "sk-upstream-0123456789", errorCode: "model_not_found" },
      { url: "/v1/files/sk-upstream-0123456789?signature=abc", status: 404 },
    ),
  );

  expect(lines[0]).not.toMatch(/sk-upstream|signature/);
});

test("probes, pages and reads of the admin API are lines of the level debug, unless they fail", () => {
  const quiet = [
    finished({ operation: "checkHealth" }, { method: "GET", url: "/healthz" }),
    finished({ operation: undefined }, { method: "GET", url: "/console/" }),
    finished({ operation: "listKeys" }, { method: "GET", url: "/admin/v1/keys?limit=3" }),
  ];
  const info = createTextLog();
  const debug = createTextLog({ level: "debug" });

  for (const entry of quiet) {
    info.logRequest(entry);
    debug.logRequest(entry);
    info.logRequest({ ...entry, status: 503 });
  }

  expect(info.lines.map((line) => / (\d{3}) /.exec(line)?.[1])).toEqual(["503", "503", "503"]);
  expect(debug.lines).toHaveLength(3);
});

test("warnings and errors are sentences, with their fields and the failure", () => {
  const { lines, log } = createTextLog();
  const failure = Object.assign(new Error("connect refused"), {
    stack: "Error: connect refused\n    at a.js:1",
  });

  log.info("The gateway has stopped.");
  log.warn({ err: failure, upstream: "openai", attempts: [1, 2] }, "An upstream is down.");
  log.error({ err: failure }, "A job failed.");
  log.error(failure);

  expect(lines).toEqual([
    "09:05:03  The gateway has stopped.\n",
    "09:05:03  Warning: An upstream is down.  (upstream openai, attempts [1,2])\n          connect refused\n",
    "09:05:03  Error: A job failed.\n          Error: connect refused\n              at a.js:1\n",
    "09:05:03  Error: connect refused\n          Error: connect refused\n              at a.js:1\n",
  ]);
});

test("colours are escape sequences around the time, the level and the status", () => {
  const { lines, log, logRequest } = createTextLog({ hasColour: true });

  logRequest(finished({ upstream: "local" }, { status: 503, ms: 4 }));
  log.warn("Look.");

  expect(lines[0]).toContain("\u001b[31m503\u001b[0m");
  expect(lines[1]).toBe("\u001b[2m09:05:03\u001b[0m  \u001b[33mWarning:\u001b[0m Look.\n");
});
