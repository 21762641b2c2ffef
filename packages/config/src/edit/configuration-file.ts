import { rm } from "node:fs/promises";
import { basename } from "node:path";
import { errorOf, type GatewayError } from "@model-gateway/domain/errors";
import type { Model } from "@model-gateway/domain/model";
import { findProvider } from "@model-gateway/providers/registry";
import type { JsonObject } from "@model-gateway/runtime/json";
import { isObject, objectAt } from "@model-gateway/runtime/json";
import { parseDocument } from "yaml";
import type { Config } from "../config.js";
import { secretsFolderOf } from "../data-dir.js";
import { type ConfigSource, type FoundFile, findFile, placeOf } from "../files/find-file.js";
import { variablesIn } from "../files/read-yaml.js";
import { checkFile, versionOf } from "../load-config.js";
import { explained } from "./explain-faults.js";
import {
  type LearnSecret,
  readTrial,
  type SecretSource,
  type Trial,
  type TrialRequest,
} from "./read-trial.js";
import { redactText } from "./redact-text.js";
import {
  FileChanged,
  type NotEditableReason,
  previousOf,
  reasonOf,
  replaceFile,
  whyNotEditable,
} from "./replace-file.js";
import { chooseSecretName, SecretFolder, secretLengthMax } from "./secret-folder.js";
import { settleEntry } from "./settle-entry.js";
import { unifiedDiff } from "./unified-diff.js";
import { setIn, UnsupportedYaml } from "./yaml-edit.js";
import { renderPair } from "./yaml-lines.js";

type EntryChanges = Readonly<Record<string, JsonObject | null>>;

/** Entries to set, or to remove where they are null. */
export interface FileChange {
  /** The version that the file must have. Null: there must be no file. Undefined: any. */
  readonly version?: string | null | undefined;
  readonly upstreams?: EntryChanges | undefined;
  readonly models?: EntryChanges | undefined;
}

/** A change that was checked, and is not written yet. */
export interface PreparedChange {
  readonly path: string;
  /** Undefined if there is no file yet. */
  readonly before: string | undefined;
  /** Undefined if the file has a form that cannot be changed in place. */
  readonly after: string | undefined;
  readonly version: { readonly before: string | null; readonly after: string };
  /** Both without secrets. */
  readonly diff: string;
  readonly lines: string;
  /** Secrets to store, by the name that the file refers to them by. */
  readonly secrets: ReadonlyMap<string, string>;
  /** The models that are set, as the changed file has them. None if it cannot be changed in place. */
  readonly models: readonly Model[];
  /** Names that the file no longer refers to. */
  readonly unused: readonly string[];
  readonly folder: SecretFolder;
}

const sections = ["upstreams", "models"] as const;
const createdBy = "# Created from the built-in configuration.\n";

/** The configuration file of this process, as something that can be changed. */
export class ConfigurationFile {
  readonly #source: ConfigSource;

  constructor(source: ConfigSource) {
    this.#source = source;
  }

  /** Undefined if the file can be changed. */
  whyNotEditable(config: Config): NotEditableReason | undefined {
    return whyNotEditable(config, placeOf(this.#source));
  }

  /** Checks a change, and describes it. Throws a `GatewayError` that names the faults. */
  prepare(change: FileChange, learn: LearnSecret): PreparedChange {
    return explained(() => {
      const file = findFile(this.#source);
      const before = file.path === undefined ? undefined : file.text;
      const version = before === undefined ? null : versionOf(before);
      if (change.version !== undefined && change.version !== version) throw changedSince(change.version);
      return new Preparation(file, { source: this.#source, learn }).prepare(change);
    });
  }

  /** Writes a change. Returns why it could not be written, if the file system refuses it. */
  async write({
    path,
    before,
    after,
    secrets,
    folder,
    version,
  }: PreparedChange): Promise<NotEditableReason | undefined> {
    if (after === undefined) throw new Error("The change has no text.");
    try {
      await folder.write(secrets);
      await replaceFile({ path, before, after, previous: previousOf(path) });
      return undefined;
    } catch (failure) {
      await folder.remove(secrets.keys());
      if (failure instanceof FileChanged) throw changedSince(version.before);
      const reason = reasonOf(failure);
      if (reason === undefined) throw failure;
      return reason;
    }
  }

  /** Takes back a change that was written, because it could not be put in force. */
  async restore({ path, before, after, secrets, folder }: PreparedChange): Promise<void> {
    if (before === undefined) await rm(path, { force: true });
    else await replaceFile({ path, before: after, after: before });
    await folder.remove(secrets.keys());
  }

  /** Deletes the secrets that are not used any more. */
  async forgetUnused({ unused, folder }: PreparedChange): Promise<void> {
    await folder.remove(unused);
  }

  /** The upstream of a trial, and its model. */
  readTrial(request: TrialRequest, learn: LearnSecret): Trial {
    return readTrial(request, { source: this.#source, learn });
  }
}

/** The steps of one change. */
class Preparation {
  readonly #file: FoundFile;
  readonly #source: ConfigSource;
  readonly #learn: LearnSecret;
  readonly #folder: SecretFolder;
  readonly #secrets = new Map<string, string>();
  readonly #text: string;
  readonly #values: unknown;

  constructor(file: FoundFile, { source, learn }: SecretSource) {
    this.#file = file;
    this.#source = source;
    this.#learn = learn;
    this.#folder = new SecretFolder(secretsFolderOf(file, source.environment));
    this.#text = file.path === undefined ? `${createdBy}${file.text.trimStart()}` : file.text;
    const document = parseDocument(this.#text);
    // It throws with every fault of the file.
    if (document.errors.length > 0) checkFile(file, source, { isRemote: true });
    this.#values = document.toJS();
  }

  prepare(change: FileChange): PreparedChange {
    const settled = sections.flatMap((section) =>
      Object.entries(change[section] ?? {}).map(([name, entry]) => ({
        section,
        name,
        value: this.#settle(section, name, entry),
      })),
    );
    if (settled.length === 0) throw errorOf("missing_required_parameter", { param: "upstreams" });
    const after = this.#edit(settled);
    const changed =
      after === undefined
        ? undefined
        : checkFile({ ...this.#file, path: this.#file.place, text: after }, this.#source, {
            pending: this.#secrets,
            isRemote: true,
          });
    const before = this.#file.path === undefined ? undefined : this.#file.text;
    const used = new Set(variablesIn(after ?? this.#text));
    return {
      path: this.#file.place,
      before,
      after,
      version: {
        before: before === undefined ? null : versionOf(before),
        after: versionOf(after ?? this.#text),
      },
      diff:
        after === undefined
          ? ""
          : unifiedDiff(basename(this.#file.place), redactText(before ?? ""), redactText(after)),
      lines: redactText(linesOf(settled)),
      secrets: this.#secrets,
      models: settled.flatMap(({ section, name }) =>
        section === "models" ? (changed?.models.get(name) ?? []) : [],
      ),
      unused: variablesIn(this.#text).filter((name) => !used.has(name)),
      folder: this.#folder,
    };
  }

  #settle(
    section: (typeof sections)[number],
    name: string,
    entry: JsonObject | null,
  ): JsonObject | undefined {
    const path = `${section}.${name}`;
    const entries = objectAt(this.#values, section);
    const present = Object.hasOwn(entries, name) ? entries[name] : undefined;
    if (entry === null) {
      if (present !== undefined) return undefined;
      throw errorOf("invalid_value", { param: path, reason: "the file has no such entry to remove" });
    }
    return settleEntry(entry, {
      path,
      present: isObject(present) ? present : undefined,
      store: (secret, setting) =>
        this.#store(secret, { path, name, setting, provider: String(entry.provider) }),
    });
  }

  #store(
    secret: string,
    { path, name, setting, provider }: { path: string; name: string; setting: string; provider: string },
  ): string {
    if (secret.length > secretLengthMax)
      throw errorOf("string_above_max_length", { param: `${path}.${setting}`, maximum: secretLengthMax });
    const { environment } = this.#source;
    const referred = new Set(variablesIn(this.#text));
    const chosen = chooseSecretName({
      variable: findProvider(provider)?.environment?.settings[setting]?.variables[0],
      upstream: name,
      setting,
      isFree: (candidate) =>
        [candidate, `${candidate}_FILE`].every((variable) => (environment[variable] ?? "") === "") &&
        !referred.has(candidate) &&
        !this.#secrets.has(candidate) &&
        !this.#folder.has(candidate),
    });
    this.#learn(secret);
    this.#secrets.set(chosen, secret);
    return chosen;
  }

  #edit(settled: readonly SettledEntry[]): string | undefined {
    try {
      return settled.reduce(
        (text, { section, name, value }) => setIn(text, [section, name], value),
        this.#text,
      );
    } catch (failure) {
      if (failure instanceof UnsupportedYaml) return undefined;
      throw failure;
    }
  }
}

function changedSince(version: string | null): GatewayError {
  return errorOf("configuration_changed", { version: version ?? "null" }, { param: "version" });
}

interface SettledEntry {
  readonly section: (typeof sections)[number];
  readonly name: string;
  /** Undefined: it is removed. */
  readonly value: JsonObject | undefined;
}

/** The entries that are set, as lines of a file. */
function linesOf(settled: readonly SettledEntry[]): string {
  return sections
    .map((section) => {
      const entries = settled.filter((one) => one.section === section && one.value !== undefined);
      if (entries.length === 0) return "";
      const value = Object.fromEntries(entries.map((one) => [one.name, one.value]));
      return renderPair(section, value, { text: "", indent: 0, isFlow: false });
    })
    .join("");
}
