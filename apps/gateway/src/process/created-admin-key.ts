import { adminKeyNotice } from "../app/welcome.js";
import type { LogFormat } from "./open-log.js";
import { stopSignals } from "./stop-on-signals.js";

/**
 * Shows the admin key that this start has created, once. On a terminal it is a line of the greeting. If the start ends
 * before that, and where a program reads the output, it is shown by itself.
 */
export class CreatedAdminKey {
  readonly #format: LogFormat;
  #text: string | undefined;
  #isGreeted = false;
  readonly #show = () => {
    if (this.#text !== undefined) process.stdout.write(adminKeyNotice(this.#text));
    this.#text = undefined;
  };

  constructor(format: LogFormat) {
    this.#format = format;
  }

  readonly hold = (text: string): void => {
    this.#text = text;
    // Also if the database was down at the start, and the key is created later.
    if (this.#format === "json" || this.#isGreeted) return this.#show();
    process.once("exit", this.#show);
    // Without a handler, a signal ends the process without its event `exit`.
    for (const signal of stopSignals)
      if (process.listenerCount(signal) === 0) process.once(signal, this.#exit);
  };

  /** The key for the greeting, which follows at once. */
  take(): string | undefined {
    const text = this.#text;
    this.#text = undefined;
    this.#isGreeted = true;
    for (const signal of stopSignals) process.off(signal, this.#exit);
    return text;
  }

  readonly #exit = () => process.exit(1);
}
