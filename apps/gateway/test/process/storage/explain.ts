import { type CompiledQuery, sql } from "kysely";
import type { Database } from "../../../src/storage/database/open-database.js";

/** A statement's query plan, reduced to the parts that tests check. */
export interface Plan {
  /** Tables that are scanned completely. */
  readonly scanned: readonly string[];
  /** Indexes that are used. */
  readonly indexes: readonly string[];
  /** Whether all matching rows are sorted before the first is returned. */
  readonly sorts: boolean;
}

export async function explain(database: Database, statement: CompiledQuery): Promise<Plan> {
  return database.kind === "sqlite"
    ? explainSqlite(database, statement)
    : explainPostgres(database, statement);
}

async function explainSqlite({ kysely }: Database, statement: CompiledQuery): Promise<Plan> {
  const { rows } = await kysely.executeQuery<{ detail: string }>({
    ...statement,
    query: sql``.toOperationNode(),
    sql: `explain query plan ${statement.sql}`,
  });
  const details = rows.map(({ detail }) => detail);
  const found = (pattern: RegExp) => details.flatMap((detail) => pattern.exec(detail)?.slice(1, 2) ?? []);
  return {
    scanned: found(/^SCAN (ledger_rows|usage_hours|usage_days)$/),
    indexes: found(/^(?:SCAN|SEARCH) .* USING (?:COVERING )?INDEX (\w+)/),
    sorts: details.some((detail) => detail.startsWith("USE TEMP B-TREE FOR ORDER BY")),
  };
}

interface Node {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly Plans?: readonly Node[];
}

async function explainPostgres({ kysely }: Database, statement: CompiledQuery): Promise<Plan> {
  const { rows } = await kysely.executeQuery<{ "QUERY PLAN": [{ Plan: Node }] }>({
    ...statement,
    sql: `explain (format json) ${statement.sql}`,
  });
  const nodes = flatten(rows[0]!["QUERY PLAN"][0].Plan);
  return {
    scanned: nodes.flatMap((node) => (node["Node Type"] === "Seq Scan" ? [node["Relation Name"]!] : [])),
    indexes: nodes.flatMap((node) => node["Index Name"] ?? []),
    sorts: nodes.some((node) => node["Node Type"].endsWith("Sort")),
  };
}

function flatten(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
