import { statfs } from "node:fs/promises";
import { diskFull } from "@model-gateway/domain/errors";
import { every, type Repetition } from "@model-gateway/runtime/every";

export type DiskState = "ok" | "low" | "full";

interface DiskSpaceOptions {
  readonly folder: string;
  /** With less than this free, only the ledger and the database are written. */
  readonly reserveBytes: number;
  /** Called once for each change. */
  readonly onChange: (state: DiskState, freeBytes: number) => void;
  /** Overrides the default, in tests. */
  readonly readFreeBytes?: ReadFreeBytes;
}

/** The bytes that this process may still write to the disk of a folder. */
type ReadFreeBytes = (folder: string) => Promise<number>;

const checkEveryMs = 5000;
/** The disk is low below this many reserves, so that an operator can act before it is full. */
const lowFactor = 8;
/** A disk near a limit does not change its state with every file that is written and removed. */
const hysteresis = 1.1;

/** The free space of the data folder's disk. The system is asked every few seconds, never by a request. */
export class DiskSpace {
  readonly #options: DiskSpaceOptions;
  readonly #checking: Repetition;
  #state: DiskState = "ok";
  #freeBytes: number | null = null;

  constructor(options: DiskSpaceOptions) {
    this.#options = options;
    this.#checking = every(checkEveryMs, () => this.check(), { task: "check_disk_space" });
  }

  get state(): DiskState {
    return this.#state;
  }

  /** Null if it is not known. */
  get freeBytes(): number | null {
    return this.#freeBytes;
  }

  /** Throws `storage_full` if a file of this size would leave less than the reserve. */
  checkRoom(bytes: number): void {
    const { reserveBytes } = this.#options;
    const hasRoom = this.#freeBytes === null || this.#freeBytes - bytes >= reserveBytes;
    if (this.#state === "full" || !hasRoom) throw diskFull();
  }

  async check(): Promise<void> {
    const { folder, onChange, readFreeBytes = readFromSystem } = this.#options;
    try {
      this.#freeBytes = await readFreeBytes(folder);
    } catch {
      // Not every file system reports it. A write that fails is handled all the same.
      this.#freeBytes = null;
      return;
    }
    const state = this.#stateOf(this.#freeBytes);
    if (state === this.#state) return;
    this.#state = state;
    onChange(state, this.#freeBytes);
  }

  close(): void {
    void this.#checking.stop();
  }

  #stateOf(freeBytes: number): DiskState {
    const { reserveBytes } = this.#options;
    const low = reserveBytes * lowFactor;
    if (freeBytes < reserveBytes * (this.#state === "full" ? hysteresis : 1)) return "full";
    return freeBytes < low * (this.#state === "ok" ? 1 : hysteresis) ? "low" : "ok";
  }
}

async function readFromSystem(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
