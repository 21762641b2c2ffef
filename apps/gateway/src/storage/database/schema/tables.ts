import type { RowOf } from "../define-table.js";
import { accessTables } from "./access-tables.js";
import { ledgerTables } from "./ledger-tables.js";
import { responseTables } from "./response-tables.js";
import { spaceTables } from "./space-tables.js";
import { workTables } from "./work-tables.js";

/** The schema. Times are milliseconds since 1970; booleans are 0 or 1. */
export const tables = { ...accessTables, ...ledgerTables, ...responseTables, ...spaceTables, ...workTables };

/** The row of each table. */
export type Tables = { readonly [Name in keyof typeof tables]: RowOf<(typeof tables)[Name]["columns"]> };
