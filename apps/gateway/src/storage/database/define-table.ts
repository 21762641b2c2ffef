/** Code that differs between SQLite and PostgreSQL checks the kind. */
export type DatabaseKind = "sqlite" | "postgres";

/** A table: one text for its TypeScript type, its SQL on both databases and its indexes. */
interface Table<Columns extends TableColumns = TableColumns> extends TableOptions<TableColumns> {
  readonly columns: Columns;
}

/** In the order of the table. Large values come last, so that the others are read without them. */
type TableColumns = Readonly<Record<string, Column<unknown>>>;

interface TableOptions<Columns> {
  /** For a key of several columns. */
  readonly primaryKey?: readonly (keyof Columns & string)[];
  readonly unique?: readonly (keyof Columns & string)[];
  /** The end of each name, and its SQL: `by_key` of `files` is `files_by_key`. */
  readonly indexes?: TableIndexes;
  /** Rows that every database has from the start. */
  readonly rows?: readonly RowOf<Columns>[];
}

export type TableIndexes = Readonly<Record<string, string>>;

export interface Column<Value> {
  readonly type: ColumnType;
  readonly isNullable?: boolean;
  readonly constraint?: "primary key" | "unique";
  /** PostgreSQL does not try to compress it. */
  readonly isCompressed?: boolean;
  /** Only the compiler reads it. */
  readonly value?: Value;
}

/** In the words of PostgreSQL. SQLite has other words for two of them. */
type ColumnType = "text" | "bytea" | "bigint" | "double precision";

/** A row with these columns. */
export type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never;
};

export function defineTable<Columns extends TableColumns>(
  columns: Columns,
  options: TableOptions<Columns> = {},
): Table<Columns> {
  return { columns, ...options };
}

export function text<Value extends string = string>(): Column<Value> {
  return { type: "text" };
}

export function bytes(): Column<Buffer> {
  return { type: "bytea" };
}

export function integer(): Column<number> {
  return { type: "bigint" };
}

export function real(): Column<number> {
  return { type: "double precision" };
}

export function nullable<Value>(column: Column<Value>): Column<Value | null> {
  return { ...column, isNullable: true } as Column<Value | null>;
}

export function primaryKey<Value>(column: Column<Value>): Column<Value> {
  return { ...column, constraint: "primary key" };
}

export function unique<Value>(column: Column<Value>): Column<Value> {
  return { ...column, constraint: "unique" };
}

export function compressed<Value>(column: Column<Value>): Column<Value> {
  return { ...column, isCompressed: true };
}

/** The statements that create tables with their indexes and first rows. */
export function createStatements(tables: Readonly<Record<string, Table>>, kind: DatabaseKind): string[] {
  return Object.entries(tables).flatMap(([name, table]) => [
    createTable(name, table, kind),
    ...(kind === "postgres" ? storageStatements(name, table) : []),
    ...indexStatements(name, table).values(),
    ...(table.rows ?? []).map((row) => insertRow(name, row)),
  ]);
}

/** The statements that create the indexes of a table, by the names of the indexes. */
export function indexStatements(name: string, { indexes = {} }: Pick<Table, "indexes">): Map<string, string> {
  return new Map(
    Object.entries(indexes).map(([end, definition]) => {
      const index = `${name}_${end}`;
      return [index, `create index ${index} on ${name} ${definition}`];
    }),
  );
}

function createTable(name: string, { columns, primaryKey, unique }: Table, kind: DatabaseKind): string {
  const lines = [
    ...Object.entries(columns).map(([column, definition]) => `${column} ${columnSql(definition, kind)}`),
    ...(primaryKey === undefined ? [] : [`primary key (${primaryKey.join(", ")})`]),
    ...(unique === undefined ? [] : [`unique (${unique.join(", ")})`]),
  ];
  return `create table ${name} (\n  ${lines.join(",\n  ")}\n)`;
}

function columnSql({ type, isNullable, constraint }: Column<unknown>, kind: DatabaseKind): string {
  const parts = [sqlTypes[kind][type] ?? type, isNullable ? "" : "not null", constraint ?? ""];
  return parts.filter((part) => part !== "").join(" ");
}

const sqlTypes: Readonly<Record<DatabaseKind, Partial<Record<ColumnType, string>>>> = {
  sqlite: { bytea: "blob" },
  // Byte order, as in SQLite: it is faster, and no update of the operating system can change it.
  postgres: { text: 'text collate "C"' },
};

function storageStatements(name: string, { columns }: Table): string[] {
  const compressed = Object.entries(columns).filter(([, { isCompressed }]) => isCompressed);
  return compressed.map(([column]) => `alter table ${name} alter column ${column} set storage external`);
}

/** For values of this schema: numbers, and names in lower case. */
function insertRow(name: string, row: Readonly<Record<string, unknown>>): string {
  const values = Object.values(row).map((value) => (typeof value === "number" ? value : `'${value}'`));
  return `insert into ${name} (${Object.keys(row).join(", ")}) values (${values.join(", ")})`;
}
