import { expect } from "vitest";
import type { AdminClient } from "../../gateway/admin-client.js";
import type { BatchClient, ResultLine } from "../../gateway/batch-client.js";

/** The lines of a batch that has ended: each exactly once, and each with its row in the ledger. */
export async function checkOutput(
  client: BatchClient,
  admins: readonly [AdminClient, ...AdminClient[]],
  { id, ids }: { readonly id: string; readonly ids: readonly string[] },
): Promise<{ readonly output: readonly ResultLine[]; readonly errors: readonly ResultLine[] }> {
  const batch = await client.untilEnded(id, 180_000);
  expect(batch.status).toBe("completed");
  const output = await client.linesOf(batch.output_file_id);
  const errors = await client.linesOf(batch.error_file_id);
  const all = [...output, ...errors];
  expect(all.map(({ custom_id }) => custom_id).sort()).toEqual([...ids].sort());
  expect(batch.request_counts).toEqual({
    total: ids.length,
    completed: output.length,
    failed: errors.length,
  });

  // Each replica has rows of its lines.
  for (const admin of admins) await admin.untilShipped();
  const rows = await admins[0].rows({ batch: id });
  const statusOf = new Map(rows.map((row) => [row.id, row.status]));
  expect(rows.length).toBe(statusOf.size);
  const unlike = all.filter(
    ({ response }) => statusOf.get(response?.request_id ?? "") !== response?.status_code,
  );
  expect(unlike).toEqual([]);
  expect(rows).toHaveLength(all.length);
  return { output, errors };
}
