import { isDeepStrictEqual } from "node:util";
import { errorOf } from "@model-gateway/domain/errors";
import { findProvider } from "@model-gateway/providers/registry";
import type { JsonObject } from "@model-gateway/runtime/json";
import { isObject } from "@model-gateway/runtime/json";
import { variablesIn } from "../files/read-yaml.js";
import { describePath } from "../load-config.js";
import { isPublicHeader, isSecretKey } from "../secrets/find-secrets.js";
import { isSecretText } from "./settle-entry.js";

/** The upstream of a trial, before its variables are resolved and its files are read. */
interface TrialEntry {
  /** Its secrets are references: those of the file, and those to the secrets that were typed. */
  readonly entry: JsonObject;
  /** The upstream of the file that the trial names. Undefined for none. */
  readonly present: JsonObject | undefined;
  /** The names by which the entry refers to the secrets that were typed. */
  readonly typed: ReadonlySet<string>;
  /** The origin that an entry leads to. Called only where the addresses differ. */
  readonly originOf: (entry: JsonObject) => string | undefined;
}

/**
 * Settings that move no secret. Every other one must be as the file has it where a trial uses a stored secret, and so a
 * new setting is refused until it stands here.
 */
const harmless = new Set([
  "provider",
  "timeoutMs",
  "discover",
  "discoverEveryMs",
  "editForm",
  "surface",
  "apiVersion",
  "strength",
]);
/** These may differ while the origin is the same. */
const addresses = new Set(["baseUrl", "preset"]);
/** Settings that move the credentials of the machine away from the provider's own address. */
const movers = new Set(["baseUrl", "proxy", "headers", "tls"]);

/**
 * A trial is asked for by whoever has an operator's session, and its upstream may be anyone's server. It reads no
 * variable and no file but those that this upstream of the file reads at that place, and a stored secret goes only where
 * the file sends it.
 */
export function checkTrial(trial: TrialEntry): void {
  const { entry, present = {}, typed } = trial;
  const leaves = leavesOf(entry);
  const kept = leavesOf(present);
  const isKept = (leaf: Leaf) => kept.has(leaf.id) && isDeepStrictEqual(kept.get(leaf.id)?.value, leaf.value);
  for (const leaf of leaves.values()) if (!isKept(leaf)) refuseOutside(leaf, { kept, typed });
  const secret = [...leaves.values()].find((leaf) => isKept(leaf) && isStored(leaf));
  const isOfMachine =
    findProvider(String(entry.provider))?.usesMachineCredentials?.(entry) === true && !isAtOwnAddress(leaves);
  if (secret === undefined && !isOfMachine) return;
  const changed = [...leaves.values()].filter((leaf) => !isKept(leaf));
  const removed = [...kept.values()].filter(({ id }) => !leaves.has(id));
  const moving = [...changed, ...removed].filter((leaf) => moves(leaf, trial));
  const moved = moving.find(({ path }) => movers.has(String(path[0]))) ?? moving[0];
  if (moved === undefined) return;
  const reason =
    secret === undefined
      ? "credentials of the gateway's machine only go to the provider's own address, or where the configuration sends them; add the upstream before you try it"
      : `the trial uses ${describePath(secret.path)} of the configuration, which only goes where the configuration sends it; enter ${describePath(secret.path)} again, or leave this setting as it is`;
  throw errorOf("invalid_value", { param: paramOf(moved), reason });
}

/** A value that is neither a mapping nor a list. */
interface Leaf {
  readonly id: string;
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
}

function leavesOf(value: unknown, path: readonly PropertyKey[] = []): Map<string, Leaf> {
  const inner: [PropertyKey, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : [];
  // An empty mapping has no leaf, and says nothing.
  if (Array.isArray(value) || isObject(value))
    return new Map(inner.flatMap(([key, one]) => [...leavesOf(one, [...path, key])]));
  const id = JSON.stringify(path);
  return new Map([[id, { id, path, value }]]);
}

interface Known {
  readonly kept: ReadonlyMap<string, Leaf>;
  readonly typed: ReadonlySet<string>;
}

/** Refuses a variable or a file that is not the file's own at this place. */
function refuseOutside(leaf: Leaf, { typed }: Known): void {
  const texts = [...leaf.path.map(String), ...(typeof leaf.value === "string" ? [leaf.value] : [])];
  if (texts.flatMap(variablesIn).some((name) => !typed.has(name)))
    throw errorOf("invalid_value", {
      param: paramOf(leaf),
      reason:
        "a trial reads a variable only where this upstream of the configuration has it; enter the value, or add the upstream before you try it",
    });
  if (namesFile(leaf))
    throw errorOf("invalid_value", {
      param: paramOf(leaf),
      reason:
        "a trial reads a file only where this upstream of the configuration has it; enter the text of a certificate, or add the upstream before you try it",
    });
}

function namesFile({ path, value }: Leaf): boolean {
  const [setting] = path;
  if (typeof value !== "string") return false;
  if (setting === "tls") return !value.includes("-----BEGIN") && variablesIn(value).length === 0;
  return path.some((key) => /(file|folders?|path)$/i.test(String(key)));
}

/** Whether a value of the file is a secret, or is read from somewhere. */
function isStored(leaf: Leaf): boolean {
  const { path, value } = leaf;
  if (typeof value !== "string") return false;
  const isSecret = path.some((key) => isSecretKey(String(key))) && !isPublicHeader(String(path.at(-1)));
  return (
    variablesIn(value).length > 0 ||
    namesFile(leaf) ||
    isSecretText(value, { path: describePath(path), isSecret })
  );
}

function moves(leaf: Leaf, { entry, present = {}, typed, originOf }: TrialEntry): boolean {
  const setting = String(leaf.path[0]);
  if (harmless.has(setting)) return false;
  if (addresses.has(setting)) {
    const origin = originOf(entry);
    return origin === undefined || origin !== originOf(present);
  }
  // Another secret in place of the stored one.
  return movers.has(setting) || !variablesIn(String(leaf.value)).some((name) => typed.has(name));
}

function isAtOwnAddress(leaves: ReadonlyMap<string, Leaf>): boolean {
  return [...leaves.values()].every(({ path }) => !movers.has(String(path[0])));
}

function paramOf({ path }: Leaf): string {
  return describePath(["upstream", ...path]);
}
