import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A fenced block of a page. */
export interface Block {
  /** Such as `README.md:22`. */
  readonly place: string;
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const root = join(import.meta.dirname, "../../../..");
const guides = "apps/docs/guides";

/** The languages of blocks that people copy. Output and drawings are `text`. */
export const copiedLanguages = ["sh", "yaml", "json", "js", "python"] as const;

/** Every fenced block in the README, CONTRIBUTING, AGENTS and the guides. */
export function readBlocks(): Block[] {
  const names = readdirSync(join(root, guides)).filter((name) => name.endsWith(".md"));
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    "AGENTS.md",
    ...names.sort().map((name) => `${guides}/${name}`),
  ];
  return pages.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const page = path.split("/").at(-1) ?? "";
    return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(
      ({ 1: language = "", 2: block = "", index }) => ({
        place: `${page}:${text.slice(0, index).split("\n").length}`,
        page,
        language,
        text: block,
      }),
    );
  });
}

/** The blocks in one language, as rows of a test table. */
export function blocksIn(language: (typeof copiedLanguages)[number]): [string, Block][] {
  return readBlocks()
    .filter((block) => block.language === language)
    .map((block) => [block.place, block]);
}
