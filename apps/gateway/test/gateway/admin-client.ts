import type { Schemas } from "@model-gateway/domain/operations";
import { expect, vi } from "vitest";
import { testAdminKey } from "./test-gateway.js";

type Row = Schemas["RequestRecord"];
type Group = Schemas["UsageGroup"];

/** Calls the admin API of a gateway, as an operator does. */
export class AdminClient {
  readonly #address: string;

  constructor(address: string) {
    this.#address = address;
  }

  createSession(): Promise<Schemas["CreatedSession"]> {
    return this.#json("/admin/v1/sessions", { method: "POST" });
  }

  createKey(body: Schemas["CreateKeyRequest"]): Promise<Schemas["CreatedKey"]> {
    return this.#json("/admin/v1/keys", { method: "POST", body: JSON.stringify(body) });
  }

  changeKey(id: string, body: Schemas["ChangeKeyRequest"]): Promise<Schemas["AccessKey"]> {
    return this.#json(`/admin/v1/keys/${id}`, { method: "PATCH", body: JSON.stringify(body) });
  }

  revokeKey(id: string): Promise<Schemas["AccessKey"]> {
    return this.#json(`/admin/v1/keys/${id}`, { method: "DELETE" });
  }

  batch(id: string): Promise<Schemas["AdminBatch"]> {
    return this.#json(`/admin/v1/batches/${id}`);
  }

  /** All rows that match, the oldest first. */
  async rows(filter: Readonly<Record<string, string>> = {}): Promise<Row[]> {
    const rows: Row[] = [];
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ limit: "1000", ...filter, ...(cursor && { cursor }) });
      const page: Schemas["RequestList"] = await this.#json(`/admin/v1/requests?${query}`);
      rows.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return rows.reverse();
  }

  /** Waits until this many rows match. */
  async rowsOnce(count: number, filter: Readonly<Record<string, string>> = {}): Promise<Row[]> {
    return vi.waitUntil(
      async () => {
        const rows = await this.rows(filter);
        return rows.length >= count && rows;
      },
      { timeout: 60_000, interval: 100 },
    );
  }

  /** Waits for the row of a request, which is written after its response. */
  async rowOf(response: Response, filter: Readonly<Record<string, string>> = {}): Promise<Row> {
    const id = response.headers.get("x-request-id");
    return vi.waitUntil(async () => (await this.rows(filter)).find((row) => row.id === id), {
      timeout: 60_000,
      interval: 100,
    });
  }

  async usage(query: Readonly<Record<string, string>> = {}): Promise<Group[]> {
    const list: Schemas["UsageList"] = await this.#json(`/admin/v1/usage?${new URLSearchParams(query)}`);
    return list.data;
  }

  async csv(path: string): Promise<string> {
    const response = await this.send(path, { headers: { accept: "text/csv" } });
    return response.text();
  }

  /** The value of each metric line, by its labels. */
  async metric(name: string): Promise<Record<string, number>> {
    const text = await (await this.send("/metrics")).text();
    const lines = text
      .split("\n")
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    return Object.fromEntries(
      lines.map((line) => {
        const space = line.lastIndexOf(" ");
        return [line.slice(name.length, space), Number(line.slice(space + 1))];
      }),
    );
  }

  /** Waits until the database has every row of the spool. */
  async untilShipped(): Promise<void> {
    const isShipped = async () => (await this.metric("gateway_ledger_rows"))[""] === 0;
    await vi.waitUntil(isShipped, { timeout: 60_000, interval: 100 });
  }

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { "content-type": "application/json", ...init.headers };
    const response = await fetch(`${this.#address}${path}`, {
      ...init,
      headers: { ...headers, authorization: `Bearer ${testAdminKey}` },
    });
    expect(response.status).toBe(200);
    return response;
  }

  // The contract tests hold every body against the spec that these types come from.
  async #json<T>(path: string, init?: RequestInit): Promise<T> {
    return (await (await this.send(path, init)).json()) as T;
  }
}
