import { AwsSecrets } from "@model-gateway/providers/http/credentials/secrets/aws-secrets";
import { VaultSecrets } from "@model-gateway/providers/http/credentials/secrets/vault";
import type { CredentialTools } from "@model-gateway/providers/http/credentials/token-credential";
import { isObject, objectAt } from "@model-gateway/runtime/json";
import type { z } from "zod";
import { type ConfigSource, findFile } from "../files/find-file.js";
import { readYaml, variablesIn } from "../files/read-yaml.js";
import { readSecretFiles } from "../files/secret-files.js";
import { secretsSchema } from "../schema/secrets-schema.js";
import { isReferenceName, type Reference, readReference, type SecretReferences } from "./reference-names.js";

/** The outcome of reading all references of a file again. */
export interface Fetch {
  readonly hasChanged: boolean;
  /** The references that kept their last value, or have none, and why. */
  readonly failures: ReadonlyMap<string, string>;
}

const faulty = "is not read, because the section secrets has a fault";

type Stores = z.output<typeof secretsSchema>;
type FetchedReference = Exclude<Reference, { kind: "file" }>;

/** A file with more is not one that a person wrote. */
const referencesMax = 200;
const fetchTimeoutMs = 15_000;

/** Reads secrets from Vault and AWS Secrets Manager. A value that cannot be read again stays as it was. */
export class FetchedSecrets implements SecretReferences {
  readonly #tools: CredentialTools;
  readonly #values = new Map<string, string>();
  #faults: ReadonlyMap<string, string> = new Map();
  #opened: { readonly settings: string; readonly read: ReadDocument } | undefined;

  constructor(tools: CredentialTools) {
    this.#tools = tools;
  }

  readonly find = (name: string) => {
    const value = this.#values.get(name);
    if (value !== undefined) return { value };
    return { fault: this.#faults.get(name) ?? "has not been read yet; reload the configuration" };
  };

  /** Reads all references of the file. A file that is not there or not readable is a fault of who loads it. */
  async fetch(source: ConfigSource): Promise<Fetch> {
    const found = fileOf(source);
    const names = found.names.slice(0, referencesMax);
    if (names.length === 0) return { hasChanged: false, failures: new Map() };
    const read = this.#open(found.stores, source);
    const documents = new Map<string, ReturnType<ReadDocument>>();
    const failures = new Map<string, string>();
    let hasChanged = false;
    await Promise.all(
      names.map(async (name) => {
        try {
          const value = await secretOf(name, { read, documents });
          hasChanged ||= this.#values.get(name) !== value;
          this.#values.set(name, value);
        } catch (failure) {
          failures.set(name, failure instanceof Error ? explain(failure) : String(failure));
        }
      }),
    );
    for (const name of this.#values.keys()) if (!names.includes(name)) this.#values.delete(name);
    this.#faults = failures;
    return { hasChanged, failures };
  }

  /** Sign-ins last as long as the settings of the stores. */
  #open(stores: Stores | undefined, { environment }: ConfigSource): ReadDocument {
    const settings = JSON.stringify(stores ?? null);
    if (this.#opened?.settings === settings) return this.#opened.read;
    const vault = stores?.vault && new VaultSecrets(stores.vault, this.#tools);
    const aws = stores?.aws && new AwsSecrets(stores.aws, { ...this.#tools, environment });
    const read: ReadDocument = async (reference) => {
      const signal = AbortSignal.timeout(fetchTimeoutMs);
      if (reference.kind === "vault") {
        if (vault === undefined) throw new Error(stores === undefined ? faulty : "needs secrets.vault");
        return vault.read(reference.path, signal);
      }
      if (aws === undefined) throw new Error(stores === undefined ? faulty : "needs secrets.aws");
      return aws.read(reference.id, signal);
    };
    this.#opened = { settings, read };
    return read;
  }
}

type ReadDocument = (reference: FetchedReference) => Promise<string | Readonly<Record<string, unknown>>>;

interface Documents {
  readonly read: ReadDocument;
  /** Several fields of one document are one request. */
  readonly documents: Map<string, ReturnType<ReadDocument>>;
}

async function secretOf(name: string, { read, documents }: Documents): Promise<string> {
  const reference = readReference(name);
  if (reference === undefined || reference.kind === "file") throw new Error("is not a valid reference");
  const key = reference.kind === "vault" ? `vault:${reference.path}` : `aws-secret:${reference.id}`;
  const pending = documents.get(key) ?? read(reference);
  documents.set(key, pending);
  const document = await pending;
  const { field } = reference;
  const value = field === undefined ? document : fieldOf(document, field);
  if (typeof value !== "string" || value === "") throw new Error(`has no text${field ? ` in ${field}` : ""}`);
  return value;
}

/** AWS's secrets are texts, and those with fields are JSON. */
function fieldOf(document: string | Readonly<Record<string, unknown>>, field: string): unknown {
  const fields = typeof document === "string" ? parseFields(document) : document;
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The failure of a sign-in is the cause of the error. Neither quotes a secret. */
function explain({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message;
}

/** The references of a file, and its stores. Undefined where their settings have a fault, which the load reports. */
function fileOf(source: ConfigSource): {
  readonly names: readonly string[];
  readonly stores: Stores | undefined;
} {
  try {
    const { text } = findFile(source);
    const variables = variablesIn(text);
    const names = [
      ...new Set(variables.filter((name) => isReferenceName(name) && !name.startsWith("file:"))),
    ];
    if (names.length === 0) return { names, stores: undefined };
    const { environment } = readSecretFiles(source.environment, {
      names: variables,
      directory: source.workingDirectory,
    });
    const { value } = readYaml(text, environment);
    const parsed = secretsSchema.safeParse(objectAt(value, "secrets"));
    return { names, stores: parsed.success ? parsed.data : undefined };
  } catch {
    return { names: [], stores: undefined };
  }
}
