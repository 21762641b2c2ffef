import fc from "fast-check";
import { expect, test } from "vitest";
import type { ValidRequest } from "../../execution/handler.js";
import type { LedgerRow } from "../../usage/ledger/ledger-store.js";
import { anyRow } from "../../usage/test/any-row.js";
import { describeRequest, requestFields } from "../documents/RequestRecord.js";
import { listRequests } from "./listRequests.js";

const text = fc.string({ unit: "binary", maxLength: 20 });

test("any rows are a table with their values in the cells", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRow(text), { maxLength: 3 }), async (rows) => {
      const [header, ...lines] = readCsv(await tableOf(rows));

      expect(header).toEqual(requestFields);
      expect(lines).toEqual(rows.map(cellsOf));
    }),
  );
});

async function tableOf(items: readonly LedgerRow[]): Promise<string> {
  const handler = listRequests({ ledger: { list: async () => ({ items }) }, fileKeys: [] });
  const request = { query: {}, accepts: () => "text/csv" } as unknown as ValidRequest<"listRequests">;
  const response = await handler(request);
  return "text" in response ? response.text : "";
}

/** The values of a row's record as text. Those of JSON have a sentence instead. */
function cellsOf(row: LedgerRow): string[] {
  const record = describeRequest(row);
  return requestFields.map((name) => {
    const value = record[name];
    if (name === "failure") return escaped(record.failure?.message ?? "");
    if (name === "failed_attempts")
      return escaped(
        record.failed_attempts.map((one) => `${one.upstream} / ${one.model}: ${one.reason}`).join("; "),
      );
    return typeof value === "string" ? escaped(value) : String(value ?? "");
  });
}

/** A spreadsheet would take such a text for a formula. */
function escaped(value: string): string {
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(value) ? `'${value}` : value;
}

/** https://www.rfc-editor.org/rfc/rfc4180 */
function readCsv(table: string): string[][] {
  const lines: string[][] = [];
  for (let rest = table; rest !== ""; ) {
    const line: string[] = [];
    let end = ",";
    while (end === ",") {
      const [whole = "", quoted, plain = "", found = ""] =
        /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [];
      line.push(quoted?.replaceAll('""', '"') ?? plain);
      end = found;
      rest = rest.slice(whole.length);
    }
    lines.push(line);
  }
  return lines;
}
