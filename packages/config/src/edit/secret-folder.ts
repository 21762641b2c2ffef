import { existsSync } from "node:fs";
import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "@model-gateway/runtime/new-id";
import { writeWhole } from "@model-gateway/runtime/write-whole";
import { secretName } from "../files/secret-files.js";

/** The longest secret that is stored. A service account's key file is some kilobytes. */
export const secretLengthMax = 64 * 1024;

/** Files with one secret each, that only the gateway's user can read. */
export class SecretFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  pathOf(name: string): string {
    return join(this.path, name);
  }

  has(name: string): boolean {
    return existsSync(this.pathOf(name));
  }

  /** Writes new secrets. A crash leaves a secret whole or not there. */
  async write(secrets: ReadonlyMap<string, string>): Promise<void> {
    if (secrets.size === 0) return;
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    // The folder may have been created by hand, and a umask can only narrow a mode.
    await chmod(this.path, 0o700);
    for (const [name, secret] of secrets) {
      const draft = join(this.path, newId(`.${name}.`));
      await writeWhole(this.pathOf(name), `${secret}\n`, { draft, isSynced: true });
    }
  }

  /** Names that are not there are passed over. */
  async remove(names: Iterable<string>): Promise<void> {
    for (const name of names) if (secretName.test(name)) await rm(this.pathOf(name), { force: true });
  }
}

export interface NameChoice {
  /** The provider's own variable for the setting, if it has one. */
  readonly variable: string | undefined;
  readonly upstream: string;
  /** The name of the setting, such as `apiKey`. */
  readonly setting: string;
  readonly isFree: (name: string) => boolean;
}

/** The name of a secret: the provider's own variable, or else one after the upstream. */
export function chooseSecretName({ variable, upstream, setting, isFree }: NameChoice): string {
  if (variable !== undefined && isFree(variable)) return variable;
  const words = `${constant(upstream)}_${constant(setting)}`;
  const name = (/^\d/.test(words) ? `UPSTREAM_${words}` : words).slice(0, nameLengthMax);
  if (isFree(name)) return name;
  for (let number = 2; ; number += 1) {
    const numbered = `${name}_${number}`;
    if (isFree(numbered)) return numbered;
  }
}

const nameLengthMax = 100;

/** `apiKey` and `api-key` become `API_KEY`. */
function constant(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase();
}
