import type { CommandPlace } from "@model-gateway/cli/check";
import { secretsFolderOf } from "@model-gateway/config/data-dir";
import { chooseSecretName, SecretFolder, secretLengthMax } from "@model-gateway/config/edit/secret-folder";
import type { EnvironmentVariables } from "@model-gateway/config/files/read-yaml";
import { readSecretFiles } from "@model-gateway/config/files/secret-files";
import { codeOf } from "@model-gateway/domain/failure-code";
import { InitError } from "./conversation.js";

/** A header carries the key, so it has neither spaces nor other alphabets. */
const pastedKey = /^[\x21-\x7e]+$/;

interface PastedKey {
  readonly secret: string;
  readonly provider: string;
  readonly setting: string;
  /** The provider's own variable, if it has one. */
  readonly variable: string | undefined;
}

/**
 * Keys that a person pastes. They go to the secrets folder of the gateway that the new file configures, where the
 * console stores those that are typed there. The file refers to them by name.
 */
export class PastedSecrets {
  /** The folder of the new file. */
  readonly directory: string;
  readonly #place: CommandPlace;
  readonly #folder: SecretFolder;
  readonly #pending = new Map<string, string>();

  constructor(place: CommandPlace, directory: string) {
    this.directory = directory;
    this.#place = place;
    this.#folder = new SecretFolder(secretsFolderOf({ text: "", directory }, place.environment));
  }

  /** Those that are not written yet, by the names that the file refers to them by. */
  get pending(): ReadonlyMap<string, string> {
    return this.#pending;
  }

  get folder(): string {
    return this.#folder.path;
  }

  static accepts(text: string): boolean {
    return pastedKey.test(text) && text.length <= secretLengthMax;
  }

  /** The name of a key in the file. A variable that has this value already needs no file. */
  add({ secret, provider, setting, variable }: PastedKey): string {
    if (variable !== undefined && this.read([variable])[variable] === secret) return variable;
    const { environment } = this.#place;
    const isFree = (name: string) =>
      [name, `${name}_FILE`].every((taken) => (environment[taken] ?? "") === "") &&
      !this.#pending.has(name) &&
      !this.#folder.has(name);
    const name = chooseSecretName({ variable, upstream: provider, setting, isFree });
    this.#pending.set(name, secret);
    return name;
  }

  /** The environment with the values of variables as a start finds them, and with what was pasted. */
  read(names: readonly string[]): EnvironmentVariables {
    const { environment, workingDirectory } = this.#place;
    return readSecretFiles(environment, {
      names,
      directory: workingDirectory,
      storedNames: new Set(names),
      secretsFolder: () => this.#folder.path,
      pending: this.#pending,
    }).environment;
  }

  /** Writes the keys, then the file that refers to them. If that fails, no key is left behind. */
  async writeWith(writeFile: () => void): Promise<void> {
    try {
      await this.#write();
      writeFile();
    } catch (failure) {
      await this.#folder.remove(this.#pending.keys()).catch(() => undefined);
      throw failure;
    }
  }

  async #write(): Promise<void> {
    try {
      await this.#folder.write(this.#pending);
    } catch (failure) {
      throw new InitError(
        `${this.#folder.path} cannot be written (${codeOf(failure)}), so the key cannot be stored. Check its permissions, or export the key and enter the variable's name.`,
      );
    }
  }
}
