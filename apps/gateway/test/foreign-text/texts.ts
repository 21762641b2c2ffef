import catalogue from "@model-gateway/catalogue/catalogue.json" with { type: "json" };
import { CatalogueError, parseCatalogue } from "@model-gateway/catalogue/open-catalogue";
import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import { closeNames } from "@model-gateway/domain/close-names";
import { GatewayError } from "@model-gateway/domain/errors";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import { Vocabulary } from "@model-gateway/tokens/vocabulary";
import { expect } from "vitest";
import { writeDisposition } from "../../src/api/operations/files/retrieveFileContent.js";
import { readPreferences } from "../../src/api/preferences.js";
import { bearerOf } from "../../src/execution/caller.js";
import { createClientAddress } from "../../src/http/request/client-address.js";
import { decodeCursor } from "../../src/storage/database/cursor.js";
import { parseEntry } from "../../src/storage/images/stored-entry.js";
import { escapeControls } from "../../src/telemetry/escape-controls.js";
import { readTraceparent } from "../../src/telemetry/traces/trace-context.js";
import { readLine, writeLine } from "../../src/usage/ledger/ledger-line.js";
import type { LedgerRow } from "../../src/usage/ledger/ledger-store.js";
import { rowOf } from "../../src/usage/test/ledger-rows.js";
import { textOf } from "./incoming.js";
import type { Parser } from "./parser.js";
import { filled, jsonShapes, jsonUnder, textShapes } from "./shapes.js";

const secrets = new SecretFilter(["sk-0123456789abcdef", "a secret with spaces"]);
const addressOf = createClientAddress(["127.0.0.0/8"]);

/** The secrets as they are, and in the escapes of a URL. */
const secretPattern = /sk-0123456789abcdef|a secret with spaces|a%20secret%20with%20spaces/;
const failedAttempts = [{ upstream: "a", model: "b", status: 503, ms: 1, reason: "upstream_error" }];
const failure = { message: "a", param: null, requestedModel: "b", attempts: failedAttempts };
/** The vocabulary of the tokens: it is read when it is needed, and once. */
let vocabulary: Promise<Vocabulary> | undefined;

export const textParsers: readonly Parser[] = [
  {
    name: "the headers of a request",
    read: (bytes) => {
      const text = bytes.toString("latin1");
      const request = { socket: { remoteAddress: "127.0.0.1" }, headers: { "x-forwarded-for": text } };
      return [
        readPreferences(text),
        readTraceparent(text),
        bearerOf(`Bearer ${text}`),
        addressOf(request as never),
        closeNames(text, ["model"]),
      ];
    },
    bytesMax: 16 * 1024,
    shapes: {
      ...textShapes,
      "spaces in the middle": () => filled(" ", { before: "a", after: "b", bytes: 16 * 1024 }),
      preferences: () => filled("wait=1,"),
    },
    samples: ["respond-async, wait=5", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
    kind: "header",
    refusals: [],
  },
  {
    name: "a cursor",
    read: (bytes) => decodeCursor(bytes.toString("base64url")),
    bytesMax: 1536,
    shapes: jsonShapes,
    samples: ['[1,"a"]'],
    kind: "json",
    refusals: [GatewayError],
  },
  {
    name: "the name of a file",
    read: (bytes) => writeDisposition(bytes.toString()),
    bytesMax: 255,
    shapes: textShapes,
    samples: ["a b.jsonl", "é"],
    kind: "prose",
    check: (bytes, value) => {
      const [, plain, encoded] =
        /^attachment; filename="([ -!#-~]*)"(?:; filename\*=UTF-8''([\w.!~*%-]*))?$/.exec(String(value)) ??
        [];
      expect(encoded === undefined ? plain : decodeURIComponent(encoded)).toBe(bytes.toString());
    },
    refusals: [],
  },
  {
    name: "a text with secrets",
    read: (bytes) => secrets.hide(textOf(bytes)),
    shapes: {
      ...textShapes,
      "starts of a secret": () => filled("sk-0123456789abcde"),
      "starts of a key": () => filled("mg_"),
      "escaped secrets": () => filled("%73k-0123456789abcdef "),
    },
    samples: ["a sk-0123456789abcdef b", "%73k-0123456789abcdef"],
    kind: "prose",
    refusals: [],
    check: (_bytes, hidden) => expect(String(hidden)).not.toMatch(secretPattern),
  },
  {
    name: "JSON with secrets",
    read: (bytes) => secrets.hideInJson(JSON.stringify({ text: textOf(bytes) })),
    bytesMax: 128 * 1024,
    shapes: { ...textShapes, secrets: () => filled("sk-0123456789abcdef ") },
    samples: ["a sk-0123456789abcdef b"],
    kind: "prose",
    refusals: [],
    check: (_bytes, hidden) => expect(JSON.parse(String(hidden)).text).not.toMatch(secretPattern),
  },
  {
    name: "a text on a terminal",
    read: (bytes) => escapeControls(textOf(bytes)),
    shapes: { ...textShapes, controls: () => filled("\u001b"), directions: () => filled("\u202e") },
    samples: ["a\u001b[31mb"],
    kind: "prose",
    refusals: [],
    check: (_bytes, escaped) => expect(escaped).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u),
  },
  {
    name: "a line of the ledger",
    read: (bytes) => readLine(bytes.toString()),
    bytesMax: 64 * 1024,
    shapes: { ...jsonShapes, ...textShapes },
    samples: ['[1,"a",2]', writeLine({ ...rowOf(1), failure, failedAttempts })],
    kind: "json",
    refusals: [],
    check: (_bytes, row) => {
      if (row !== undefined) expect(readLine(writeLine(row as LedgerRow))).toEqual(row);
    },
  },
  {
    name: "a stored response",
    read: (bytes) => inSlices(parseEntry(bytes), new TimeSlice()),
    shapes: {
      "short images": () =>
        filled('{"b64_json":"AA=="},', {
          before: '{"fingerprint":"a","response":{"events":[',
          after: '{"b64_json":""}]}}',
          bytes: 64 * 1024,
        }),
    },
    samples: [
      '{"fingerprint":"a","response":{"images":{"created":1,"data":[{"b64_json":"AA==","revised_prompt":"b"}]}}}',
      '{"fingerprint":"a","response":{"events":[{"b64_json":"AA=="},{"b64_json":""}]}}',
    ],
    kind: "json",
    refusals: [],
  },
  {
    name: "a catalogue",
    read: (bytes) => parseCatalogue(bytes.toString()),
    shapes: jsonUnder("models"),
    samples: [
      '{"date":"2026-11-01","models":[]}',
      JSON.stringify({ ...catalogue, models: catalogue.models.slice(0, 4) }),
    ],
    kind: "json",
    refusals: [CatalogueError],
  },
  {
    name: "the tokens of a text",
    read: async (bytes) => {
      vocabulary ??= Vocabulary.open("cl100k_base");
      return inSlices((await vocabulary).countTokens(textOf(bytes), 300_000), new TimeSlice());
    },
    // `tokens.property.test.ts` has the others.
    shapes: { "one letter": () => filled("x"), "line feeds": () => filled("\n") },
    samples: ["It's 1234 foxes, IT'LL run\n\n  away. 漢字 é 🦊👩🏽‍👩‍👧", "aB3$", "x".repeat(1100)],
    kind: "prose",
    refusals: [],
    check: async (bytes, count) => {
      const text = textOf(bytes);
      // The library loses byte order marks, and takes a second for a long word.
      if (text.includes("\ufeff") || text.length > 2000) return;
      const library = await import("gpt-tokenizer/encoding/cl100k_base");
      expect(count).toBe(library.countTokens(text, { disallowedSpecial: new Set() }));
    },
  },
];
