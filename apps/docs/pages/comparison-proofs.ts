import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { headingAnchor } from "../markdown/render-markdown.js";
import { type ComparisonRow, comparison, lacking, type Proof } from "./comparison-rows.js";

export interface ProofPlaces {
  /** The folder `apps`. */
  readonly apps: string;
  /** The paths of the API. */
  readonly apiPaths: readonly string[];
}

/** Every row of the comparison. */
export const comparisonRows: readonly ComparisonRow[] = [lacking, ...comparison].flatMap(({ rows }) => rows);

/** Ends the build if the proof of a row is gone: its claim about this gateway may be wrong then. */
export function checkProofs(rows: readonly ComparisonRow[], places: ProofPlaces): void {
  const faults = rows.flatMap(({ what, proof }) => {
    const fault = faultOf(proof, places);
    return fault === undefined ? [] : [`${what}: ${fault}`];
  });
  if (faults.length > 0)
    throw new Error(`The comparison claims something that nothing shows:\n${faults.join("\n")}`);
}

function faultOf(proof: Proof, { apps, apiPaths }: ProofPlaces): string | undefined {
  if ("lacksPath" in proof)
    return apiPaths.includes(proof.lacksPath) ? `the API has ${proof.lacksPath}` : undefined;
  if ("test" in proof)
    return existsSync(path.join(apps, proof.test)) ? undefined : `there is no ${proof.test}`;
  const [file = "", anchor] = proof.page.split("#");
  const page = path.join(apps, "docs", file);
  if (!existsSync(page)) return `there is no ${file}`;
  return anchorsOf(page).includes(anchor ?? "") ? undefined : `${file} has no heading #${anchor}`;
}

function anchorsOf(page: string): string[] {
  return [...readFileSync(page, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    headingAnchor(title),
  );
}
