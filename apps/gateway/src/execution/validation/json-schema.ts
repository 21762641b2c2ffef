/** The part of JSON Schema that the spec uses and the gateway reads. */
export interface JsonSchema {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** An extension: the requirement of `pattern`, in words. */
  readonly "x-expected"?: string;
  /** An extension: `maxLength` counts characters, which takes time for megabytes. */
  readonly "x-max-bytes"?: number;
  /** An extension: the same for a data URL, which may be longer than any other text. */
  readonly "x-max-data-url-bytes"?: number;
}

/** All branches of a union, including those of nested unions. A schema that is not a union is its only branch. */
export function branchesOf(schema: JsonSchema): JsonSchema[] {
  const branches = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  return branches.length === 0 ? [schema] : branches.flatMap(branchesOf);
}

/** The keys that lead to a data URL; undefined for the items of an array. */
export type DataUrlPath = readonly (string | undefined)[];

/** The largest JSON that a schema can accept, apart from the length of its strings and numbers. */
export interface JsonShape {
  /** Nesting depth of arrays and objects. */
  readonly depth: number;
  /** Number of arrays and objects. */
  readonly containers: number;
  /** Number of keys in all objects together. */
  readonly keys: number;
  /** Number of keys in the widest object. */
  readonly objectKeys: number;
  /** Number of items in the longest array. */
  readonly items: number;
  /** Number of bytes in the longest string, as it is written in the body. */
  readonly textBytes: number;
  /** The same for a string that begins as a data URL. */
  readonly dataUrlBytes: number;
  /** The places of data URLs that may be longer. */
  readonly dataUrlPaths: readonly DataUrlPath[];
}

const scalar: JsonShape = {
  depth: 0,
  containers: 0,
  keys: 0,
  objectKeys: 0,
  items: 0,
  textBytes: 0,
  dataUrlBytes: 0,
  dataUrlPaths: [],
};
/** A character that is escaped as two surrogates: `\ud83d\ude00`. */
const bytesPerCharacter = 12;

/** Reads the bounds from the schema itself, so that they follow the spec. */
export function shapeOf(schema: JsonSchema): JsonShape {
  const shapes = branchesOf(schema).map(shapeOfBranch);
  return {
    depth: Math.max(...shapes.map(({ depth }) => depth)),
    containers: Math.max(...shapes.map(({ containers }) => containers)),
    keys: Math.max(...shapes.map(({ keys }) => keys)),
    objectKeys: Math.max(...shapes.map(({ objectKeys }) => objectKeys)),
    items: Math.max(...shapes.map(({ items }) => items)),
    textBytes: Math.max(...shapes.map(({ textBytes }) => textBytes)),
    dataUrlBytes: Math.max(...shapes.map(({ dataUrlBytes }) => dataUrlBytes)),
    dataUrlPaths: shapes.flatMap(({ dataUrlPaths }) => dataUrlPaths),
  };
}

function shapeOfBranch(schema: JsonSchema): JsonShape {
  const { properties, items, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (items !== undefined) {
    const inner = shapeOf(items);
    return {
      depth: inner.depth + 1,
      containers: 1 + times(inner.containers, maxItems),
      keys: times(inner.keys, maxItems),
      objectKeys: inner.objectKeys,
      items: Math.max(maxItems, inner.items),
      textBytes: inner.textBytes,
      dataUrlBytes: inner.dataUrlBytes,
      dataUrlPaths: inner.dataUrlPaths.map((path) => [undefined, ...path]),
    };
  }
  if (properties === undefined) {
    const textBytes = textBytesOf(schema);
    const { "x-max-data-url-bytes": dataUrlBytes } = schema;
    if (dataUrlBytes === undefined) return { ...scalar, textBytes, dataUrlBytes: textBytes };
    return { ...scalar, textBytes, dataUrlBytes, dataUrlPaths: [[]] };
  }
  const inner = Object.values(properties).map(shapeOf);
  const paths = Object.keys(properties).flatMap((key, index) =>
    (inner[index]?.dataUrlPaths ?? []).map((path) => [key, ...path]),
  );
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    containers: 1 + sum(inner.map(({ containers }) => containers)),
    keys: inner.length + sum(inner.map(({ keys }) => keys)),
    objectKeys: Math.max(inner.length, ...inner.map(({ objectKeys }) => objectKeys)),
    items: Math.max(0, ...inner.map(({ items }) => items)),
    textBytes: Math.max(0, ...inner.map(({ textBytes }) => textBytes)),
    dataUrlBytes: Math.max(0, ...inner.map(({ dataUrlBytes }) => dataUrlBytes)),
    dataUrlPaths: paths,
  };
}

function textBytesOf({ type, enum: values, maxLength, "x-max-bytes": bytesMax }: JsonSchema): number {
  if (values !== undefined || ![type].flat().includes("string")) return 0;
  return bytesMax ?? (maxLength === undefined ? Number.POSITIVE_INFINITY : maxLength * bytesPerCharacter);
}

/** Nothing stays nothing, however often. */
function times(amount: number, count: number): number {
  return amount === 0 ? 0 : amount * count;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}
