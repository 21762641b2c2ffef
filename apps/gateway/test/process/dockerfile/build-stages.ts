import { execFile } from "node:child_process";
import { chmod, cp, mkdir, rename } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import {
  type Instruction,
  pairsOf,
  readDockerfile,
  readIgnored,
  stagesOf,
} from "../../repository/deploy/dockerfile.js";

const run = promisify(execFile);

/** A stage whose instructions were run, with its root in a folder. */
export interface BuiltStage {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly workdir: string;
  /** ENTRYPOINT, HEALTHCHECK and the others that say how the image runs. */
  readonly settings: ReadonlyMap<string, string>;
  /** A path of the image, below the stage's root. */
  path(inside: string): string;
}

/**
 * Runs the instructions of the Dockerfile without a container engine: each stage has a folder as its root, and paths in
 * commands that the Dockerfile creates are moved below it. Returns the last stage.
 */
export async function buildStages(folder: string, context: string): Promise<BuiltStage> {
  const stages = new Map<string, StageBuilder>();
  const instructions = readDockerfile();
  const places = placesIn(instructions);
  let last: StageBuilder | undefined;
  for (const [index, stage] of stagesOf(instructions).entries()) {
    last = new StageBuilder(join(folder, stage.name || `stage-${index}`), context, places, stages);
    await last.start();
    for (const instruction of stage.instructions) await last.apply(instruction);
    stages.set(stage.name, last);
  }
  if (last === undefined) throw new Error("The Dockerfile has no stage.");
  return last;
}

/** The folders at the root that the Dockerfile itself makes. The base image has all others. */
function placesIn(instructions: readonly Instruction[]): string[] {
  const named = instructions.flatMap(({ name, text }) => {
    if (name === "WORKDIR" || name === "VOLUME") return [text];
    if (name === "COPY") return [text.split(" ").at(-1) ?? ""];
    return name === "RUN" ? [...text.matchAll(/mkdir (\/\S+)/g)].map(([, path = ""]) => path) : [];
  });
  return [...new Set(named.filter((path) => path.startsWith("/")))];
}

class StageBuilder implements BuiltStage {
  env: Record<string, string> = {};
  workdir = "/";
  readonly settings = new Map<string, string>();

  constructor(
    readonly root: string,
    readonly context: string,
    readonly places: readonly string[],
    readonly stages: ReadonlyMap<string, StageBuilder>,
  ) {}

  async start(): Promise<void> {
    await mkdir(this.root, { recursive: true });
    // Temporary folders are closed to other users, and the image's user is another one.
    await chmod(this.root, 0o755);
  }

  async apply({ name, text }: Instruction): Promise<void> {
    if (name === "WORKDIR") {
      this.workdir = text;
      await mkdir(this.path("."), { recursive: true });
    } else if (name === "ENV" || name === "ARG") Object.assign(this.env, pairsOf(text));
    else if (name === "COPY") await this.#copy(text);
    else if (name === "RUN") await this.#run(text);
    else this.settings.set(name, text);
  }

  path(inside: string): string {
    return join(this.root, inside.startsWith("/") ? inside : join(this.workdir, inside));
  }

  async #copy(text: string): Promise<void> {
    const [, stage, source = "", destination = ""] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(text) ?? [];
    if (stage !== undefined) {
      const from = this.stages.get(stage)?.path(source);
      if (from === undefined) throw new Error(`There is no stage ${stage}.`);
      // No later stage reads it, and half a gigabyte is not copied.
      await mkdir(dirname(this.path(destination)), { recursive: true });
      await rename(from, this.path(destination));
      return;
    }
    const isIgnored = readIgnored();
    const from = join(this.context, source);
    await cp(from, this.path(destination), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !isIgnored(relative(from, path)),
    });
  }

  async #run(text: string): Promise<void> {
    const place = new RegExp(`(?<=^|[\\s"'=])(?:${this.places.join("|")})(?=$|[\\s/"';])`, "g");
    const moved = text.replace(place, (path) => join(this.root, path));
    await run("sh", ["-c", `${withoutOwners()}${moved}`], {
      cwd: this.path("."),
      env: { ...buildEnvironment(this.context), ...this.env },
      maxBuffer: 2 ** 26,
    });
  }
}

/** Only root may give a file to another user. */
function withoutOwners(): string {
  return nodeUser() === undefined ? "chown() { :; }; " : "";
}

/** The user `node` of the official images, where the test may become it. */
export function nodeUser(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 && hasNodeUser ? { uid: 1000, gid: 1000 } : undefined;
}

const hasNodeUser = await run("id", ["--user", "node"]).then(
  ({ stdout }) => stdout.trim() === "1000",
  () => false,
);

/**
 * A shell as in the base image, with the caches of this machine. The cache of turbo is found by the content of all
 * sources: without one of them, turbo builds from nothing, as in a container.
 */
function buildEnvironment(context: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    npm_config_prefer_offline: "true",
    TURBO_CACHE_DIR: join(context, ".turbo/cache"),
  };
}
