import { METHODS } from "node:http";
import type { Random } from "@model-gateway/test-suite/random";
import type { Operation } from "../../../src/execution/validation/spec.js";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { testAdminKey, testKey } from "../../gateway/test-gateway.js";
import { rawRequest } from "../malformed/malformed-case.js";
import { boundary, encode, file, image, type Part, text } from "../malformed/write-form.js";
import { mutateJson, mutateValue, oddTexts } from "./mutate.js";
import { type KnownValues, validValue } from "./valid-value.js";

/** A part of a request that may be changed. */
export type Change =
  | "method"
  | "link"
  | "segment"
  | "parameter"
  | "pair"
  | "another pair"
  | "body of none"
  | "content type"
  | "value"
  | "bytes"
  | "key"
  | "header";

/** A change in a request to an operation. */
export interface Wanted {
  readonly operation: Operation;
  readonly change: Change;
}

export interface FuzzRequest {
  readonly method: string;
  readonly url: string;
  readonly bytes: Buffer;
}

export interface FuzzWorld {
  readonly operations: readonly Operation[];
  readonly known: KnownValues;
  /** Paths of images that are there, with their signatures. */
  readonly links: readonly string[];
}

/**
 * A request to one of the operations. One in three is valid; the others are changed in one place or several. One that is
 * wanted has its change, and may have others.
 */
export function generateRequest(random: Random, world: FuzzWorld, wanted?: Wanted): FuzzRequest {
  for (;;) {
    const { request, made } = draw(random, world, wanted);
    if (wanted === undefined || made.has(wanted.change)) return request;
  }
}

/** Every change that a request to one of the operations can have. */
export function listChanges(random: Random, world: FuzzWorld): Wanted[] {
  // A parameter is left out of two requests in three.
  const drawn = Array.from({ length: 30 });
  return world.operations.flatMap((operation) => {
    const possible = drawn.flatMap(() => [...draw(random, { ...world, operations: [operation] }).possible]);
    return [...new Set(possible)].map((change) => ({ operation, change }));
  });
}

interface Drawn {
  readonly request: FuzzRequest;
  readonly possible: ReadonlySet<Change>;
  readonly made: ReadonlySet<Change>;
}

function draw(random: Random, world: FuzzWorld, wanted?: Wanted): Drawn {
  const operation = wanted?.operation ?? random.pick(world.operations);
  const changes = random.below(3);
  const possible = new Set<Change>();
  const made = new Set<Change>();
  const isChanged = (change: Change, chance: number) => {
    possible.add(change);
    // One header of many, and one parameter.
    const isWanted = change === wanted?.change && !made.has(change) && random.below(4) === 0;
    const isMade = isWanted || (changes > 0 && random.below(chance) === 0);
    if (isMade) made.add(change);
    return isMade;
  };
  const method = isChanged("method", 20) ? random.pick(otherMethods) : operation.method.toUpperCase();
  const url = urlOf(operation, { random, world, isChanged });
  const { body, contentType } = bodyOf(operation, { random, world, isChanged });
  const headers = {
    ...(contentType === undefined ? {} : { "content-type": contentType }),
    ...headersOf(operation, { random, world, isChanged }),
  };
  const bytes = rawRequest({ method, path: url, headers, ...(body && { body }) });
  return { request: { method, url, bytes }, possible, made };
}

interface Choices {
  readonly random: Random;
  readonly world: FuzzWorld;
  /** Whether this part is to be changed, once in so many cases. */
  readonly isChanged: (change: Change, chance: number) => boolean;
}

// A tunnel is closed without a response.
const otherMethods = METHODS.filter((method) => method !== "CONNECT");

function urlOf(operation: Operation, { random, world, isChanged }: Choices): string {
  if (operation.id === "retrieveImageFile" && random.below(2) === 0) {
    const link = random.pick(world.links);
    return isChanged("link", 3) ? link.slice(0, random.below(link.length - 20) + 20) : link;
  }
  const path = operation.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    if (isChanged("segment", 4)) return random.pick(oddSegments);
    const schema = operation.pathParameters.get(name) ?? {};
    return encodeURIComponent(String(validValue(schema, { random, known: world.known, name })));
  });
  const query = [...operation.query].flatMap(([name, schema]) => {
    if (random.below(3) > 0) return [];
    const value = isChanged("parameter", 3)
      ? random.pick(oddTexts)
      : validValue(schema, { random, known: world.known, name });
    const pair = `${name}=${encodeURIComponent([value].flat().join())}`;
    return isChanged("pair", 6) ? [random.pick(changedPairs)(name, pair)] : [pair];
  });
  if (isChanged("another pair", 12)) query.push(random.pick(oddPairs));
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** A parameter twice, in brackets, without a value, and not encoded. */
const changedPairs: readonly ((name: string, pair: string) => string)[] = [
  (_name, pair) => `${pair}&${pair}`,
  (name) => `${name}[a]=b`,
  (name) => `${name}[]=b&${name}[]=c`,
  (name) => `${name}%5Ba%5D%5Bb%5D=c`,
  (name) => `${name}[a]=1&${name}=2`,
  (name) => name,
  (name) => `${name}==&=&&`,
  (name) => `${name}=%ZZ`,
  (name) => `${name}=%ff%fe`,
  (name) => `${name}={"a":1}`,
];
const oddPairs = [
  "x=1",
  "__proto__[a]=1",
  "constructor=1",
  "a[b][c]=1",
  "%00=%00",
  "api-version=1",
  "?",
  "a".repeat(3000),
];
const oddSegments = [
  "%ZZ",
  "%00",
  "%ff",
  "..",
  "%2e%2e",
  "a%2Fb",
  "a/b",
  "a+b",
  "%F0%9F%98%80",
  "{model}",
  "a".repeat(300),
  "~",
  "%25",
];

function bodyOf(
  operation: Operation,
  { random, world, isChanged }: Choices,
): { readonly body?: Buffer; readonly contentType?: string } {
  if (operation.bodies.size === 0) return isChanged("body of none", 20) ? { body: random.bytes(10) } : {};
  const [type, schema] = random.pick([...operation.bodies]);
  const contentType = isChanged("content type", 20) ? random.pick(oddTypes) : type;
  let value = validValue(schema, { random, known: world.known });
  for (let round = 0; round < 3; round += 1) if (isChanged("value", 2)) value = mutateValue(value, random);
  if (type.startsWith("multipart/")) {
    const form = formOf(value, random);
    const body = isChanged("bytes", 5) ? form.subarray(0, random.below(form.length)) : form;
    return { body, contentType: contentType === type ? `${type}; boundary=${boundary}` : contentType };
  }
  const json = JSON.stringify(value);
  return { body: isChanged("bytes", 5) ? mutateJson(json, random) : Buffer.from(json), contentType };
}

const oddTypes = [
  "text/plain",
  "application/json; charset=utf-16",
  "APPLICATION/JSON",
  "multipart/form-data",
  "*/*",
  "",
  "application/json, text/plain",
  "a".repeat(300),
];

function formOf(value: unknown, random: Random): Buffer {
  const fields = typeof value === "object" && value !== null ? Object.entries(value) : [["x", value]];
  const parts = fields.flatMap(([name, field]): Part[] => {
    const safe = String(name).replaceAll(/[^\w[\].]/g, "_");
    if (safe === "image" || safe === "mask")
      return random.below(6) === 0 ? [file(safe, random.bytes(50))] : [image(safe)];
    return [text(safe, typeof field === "string" ? field : JSON.stringify(field))];
  });
  return encode(parts);
}

function headersOf(operation: Operation, { random, world, isChanged }: Choices): Record<string, string> {
  const key = operation.access === "admin" ? testAdminKey : testKey;
  const headers: Record<string, string> = { authorization: `Bearer ${isChanged("key", 25) ? "wrong" : key}` };
  for (const [name, schema] of operation.headers)
    if (random.below(4) === 0)
      headers[name] = String(validValue(schema, { random, known: world.known, name }));
  for (const name of [...operation.headers.keys(), ...oddHeaders])
    if (isChanged("header", 12)) headers[name] = random.pick(oddTexts);
  return headers;
}

const oddHeaders = [
  "x-gateway-timeout-ms",
  "x-gateway-partial",
  "cache-control",
  "idempotency-key",
  "range",
  "if-range",
  "accept",
  "accept-encoding",
  "api-key",
  "content-encoding",
  "x-client-request-id",
  "traceparent",
  "origin",
];

/** An image in a JSON body. */
export const imageUrl = `data:image/png;base64,${tinyPng.toString("base64")}`;
