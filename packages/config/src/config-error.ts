import type { Fault } from "./files/read-yaml.js";

/** Lists every fault of the configuration, so that an operator can fix them all in one go. */
export class ConfigError extends Error {
  /**
   * @param faults Each with its position in the file.
   * @param details The same with their paths in the file, where they are known.
   */
  constructor(
    readonly faults: readonly string[],
    readonly details: readonly FaultDetail[] = [],
  ) {
    super(
      `The configuration has ${faults.length === 1 ? "an error" : `${faults.length} errors`}:\n${faults.join("\n")}`,
    );
    this.name = "ConfigError";
  }
}

/** A fault without its position. The path is empty for a fault of the whole file. */
export type FaultDetail = Pick<Fault, "path" | "message">;
