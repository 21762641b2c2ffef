import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { OperationId } from "@model-gateway/domain/operations";
import { afterAll, beforeAll } from "vitest";
import { documentedResponse, operationsAt, undocumented } from "../../gateway/documented.js";

/** All gateway responses in the tests of one file. */
export interface Traffic {
  /** Differences between a response and the spec. */
  readonly faults: readonly string[];
  /** Notes a response that did not come by `fetch`. */
  note(id: OperationId, response: Response): void;
  /** The statuses and headers that the spec has for an operation, and that no response has shown. */
  unseen(id: OperationId, statuses: readonly number[]): string[];
}

/** Published by `fetch` for every response. https://undici.nodejs.org/#/docs/api/DiagnosticsChannel */
const channel = "undici:request:headers";

interface HeadersMessage {
  readonly request: { readonly method: string; readonly path: string };
  readonly response: { readonly statusCode: number; readonly headers: readonly Buffer[] };
}

/** Records all `fetch` responses from the first test of a file to the last, from any sender. */
export function recordTraffic(): Traffic {
  const seen = new Set<string>();
  const faults = new Set<string>();
  const add = (id: OperationId, status: number, names: readonly string[]): void => {
    seen.add(`${id} ${status}`);
    for (const name of names) seen.add(`${id} ${status} ${name}`);
    for (const fault of undocumented(id, status, names)) faults.add(fault);
  };
  const onHeaders = (message: unknown): void => {
    const { request, response } = message as HeadersMessage;
    const names = response.headers
      .filter((_, index) => index % 2 === 0)
      .map((name) => String(name).toLowerCase());
    // The gateway itself is a caller of the fake upstream, in the same process.
    if (!names.includes("x-request-id")) return;
    for (const { id } of operationsAt(request.method, request.path)) add(id, response.statusCode, names);
  };
  beforeAll(() => subscribe(channel, onHeaders));
  afterAll(() => void unsubscribe(channel, onHeaders));
  return {
    get faults() {
      return [...faults];
    },
    note: (id, response) => add(id, response.status, [...response.headers.keys()]),
    unseen: (id, statuses) =>
      statuses.flatMap((status) =>
        [`${id} ${status}`, ...headersOf(id, status).map((name) => `${id} ${status} ${name}`)].filter(
          (one) => !seen.has(one),
        ),
      ),
  };
}

/** Only long responses are compressed. `keys/sessions.test.ts` shows that they are. */
function headersOf(id: OperationId, status: number): string[] {
  const names = Object.keys(documentedResponse(id, status)?.headers ?? {});
  return names.filter((name) => name !== "content-encoding");
}
