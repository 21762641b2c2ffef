import { randomUUID } from "node:crypto";
import { createKeyText } from "@model-gateway/domain/key-text";
import type { Schemas } from "@model-gateway/domain/operations";
import { emptyRow } from "../../../src/usage/ledger/ledger-columns.js";
import type { LedgerRow } from "../../../src/usage/ledger/ledger-store.js";
import type { InProcessGateway } from "../../gateway/in-process.js";
import { suiteGateway } from "../../gateway/suite.js";
import { testAdminKey, testKey } from "../../gateway/test-gateway.js";
import { type ContractCase, saysError } from "./contract.js";
import { createFaultyStorage, type FaultyStorage } from "./faulty-storage.js";

export interface AdminGateway {
  readonly gateway: InProcessGateway;
  readonly storage: FaultyStorage;
  /** Sends a request with the admin key. */
  send(path: string, init?: AdminInit): Promise<Response>;
  /** Signs in. The admin key begins the session of an operator. */
  createSession(key?: string): Promise<Schemas["CreatedSession"]>;
  createKey(body?: Partial<Schemas["CreateKeyRequest"]>): Promise<Schemas["CreatedKey"]>;
  addRows(...rows: Partial<LedgerRow>[]): Promise<LedgerRow[]>;
}

export interface AdminInit {
  readonly method?: string;
  readonly key?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const config = `
upstreams:
  distant:
    provider: openai-compatible
    baseUrl: "http://user:the-password@127.0.0.1:1/v1?token=the-token"
    apiKey: the-upstream-key
    timeoutMs: 5000
  local: { provider: local, modelFolders: { no-such-model: ./no-such-folder } }
models:
  far: { type: image, profile: gpt-image, strategy: ordered, targets: [{ upstream: distant, model: far, tier: 2, maxConcurrency: 3, price: { perImage: { 1024x1024: { high: 0.2, "*": 0.1 }, "*": 0.3 }, perMillionInputTokens: { text: 5, image: 10 }, perMillionOutputTokens: 40 } }, { upstream: local, model: local-sketch }] }
  near: { type: embedding, dimensions: 384, targets: [{ upstream: local, model: gte-small, weight: 2 }] }
  nearer: { type: embedding, dimensions: 384, description: Near and dear., cache: { ttl: 1h }, targets: [{ upstream: local, model: gte-small }] }
  gone: { type: embedding, targets: [{ upstream: local, model: no-such-model }] }
  any-*: { type: embedding, targets: [{ upstream: distant, model: "*" }] }
`;

/**
 * A gateway for one admin operation's tests, with a database that can be made unavailable.
 *
 * @param change Changes its configuration, which is YAML.
 */
export function adminGateway(change = (yaml: string) => yaml): AdminGateway {
  const storage = createFaultyStorage();
  const suite = suiteGateway(() => change(config), { openStorage: storage.open });

  const send: AdminGateway["send"] = (path, { key = testAdminKey, json, headers = {}, ...init } = {}) =>
    suite.gateway.send(path, {
      ...init,
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      headers: {
        authorization: `Bearer ${key}`,
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
    });
  return {
    get gateway() {
      return suite.gateway;
    },
    storage,
    send,
    createSession: async (key = testAdminKey) => {
      const response = await send("/admin/v1/sessions", { method: "POST", key });
      return (await response.json()) as Schemas["CreatedSession"];
    },
    createKey: async (body = {}) => {
      const response = await send("/admin/v1/keys", { method: "POST", json: { name: "a key", ...body } });
      return (await response.json()) as Schemas["CreatedKey"];
    },
    addRows: async (...rows) => {
      const whole = rows.map((row) => ({ ...ledgerRow, id: requestId(), ...row }));
      await storage.storage().ledger.add(whole);
      return whole;
    },
  };
}

function requestId(): string {
  return `req_${randomUUID().replaceAll("-", "")}`;
}

const ledgerRow: Omit<LedgerRow, "id"> = {
  ...emptyRow,
  at: 1_787_150_086_123,
  keyId: "config:tester",
  keyName: "tester",
  operation: "createEmbedding",
  model: "near",
  upstream: "local",
  attempts: 1,
  status: 200,
  inputTokens: 8,
  costNanos: 160,
  ms: 12.4,
  requestBytes: 63,
  responseBytes: 8244,
};

type Cases = readonly [ContractCase, ...ContractCase[]];

/** Every admin operation's responses to callers that are not the operator, and while the database is down. */
export function otherCallersCases(
  context: AdminGateway,
  path: string,
  init: AdminInit = {},
): Record<401 | 403 | 500 | 503, Cases> {
  const unknown = () => context.send(path, { ...init, key: createKeyText("mg_") });
  return {
    401: [
      {
        name: "no key",
        send: () => context.send(path, { ...init, headers: { ...init.headers, authorization: "" } }),
        expect: saysError("missing_api_key"),
      },
      { name: "a wrong key", send: unknown, expect: saysError("invalid_api_key") },
      {
        name: "a key of a caller in the header that only callers use",
        send: () =>
          context.send(path, {
            ...init,
            headers: { ...init.headers, authorization: "", "api-key": testAdminKey },
          }),
        expect: saysError("missing_api_key"),
      },
    ],
    403: [
      {
        name: "the key of a caller",
        send: () => context.send(path, { ...init, key: testKey }),
        expect: saysError("admin_key_required"),
      },
      {
        name: "the key of a caller that was created with the admin key",
        send: async () => context.send(path, { ...init, key: (await context.createKey()).value }),
        expect: saysError("admin_key_required"),
      },
      {
        name: "the session of a caller",
        send: async () => context.send(path, { ...init, key: (await context.createSession(testKey)).value }),
        expect: saysError("admin_key_required"),
      },
    ],
    500: [
      {
        name: "a bug",
        send: () => context.storage.during("faulty", unknown),
        expect: saysError("internal_error"),
      },
    ],
    503: [
      {
        name: "a key that only the database knows, while it is down",
        send: () => context.storage.during("unavailable", unknown),
        expect: saysError("storage_unavailable"),
      },
    ],
  };
}

/** The same request as the operator's own, while the database has a fault. */
export function storageFaultCase(
  context: AdminGateway,
  condition: "unavailable" | "faulty",
  send: () => Promise<Response>,
): ContractCase {
  return {
    name: condition === "unavailable" ? "the database is down" : "a bug in the database",
    send: () => context.storage.during(condition, send),
    expect: saysError(condition === "unavailable" ? "storage_unavailable" : "internal_error"),
  };
}
