import type { CommandPlace } from "@model-gateway/cli/check";
import { credentialText } from "@model-gateway/cli/print/credential";
import type { Config } from "@model-gateway/config/config";
import { loadConfig } from "@model-gateway/config/load-config";
import { endWarnings } from "@model-gateway/config/models/end-warnings";
import { FetchedSecrets } from "@model-gateway/config/references/fetched-secrets";
import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import type { OpenProvider, ProviderTools } from "@model-gateway/providers/provider";
import { openUpstream } from "@model-gateway/providers/registry";
import { probeTexts } from "@model-gateway/vector-check/probes";
import type { ProbeComparison, SpaceComparison } from "@model-gateway/vector-check/spaces";
import { modelsWithSpace } from "../spaces/checked-targets.js";
import { type ExaminedSpace, type ExaminedTarget, examineSpaces } from "../spaces/examine-spaces.js";

export interface Diagnosis {
  readonly text: string;
  /** Whether every target replied, and no space is mixed. */
  readonly isHealthy: boolean;
}

interface DiagnosisPlace extends CommandPlace {
  /** Creates the tools that upstreams need. */
  readonly tools: (secrets: SecretFilter) => ProviderTools;
}

/**
 * Sends the same texts to every embedding target of a configuration, and the same images to those that take them, and
 * reports which of them may be mixed. It calls the upstreams for real, and opens nothing else: no port, no database, no data folder.
 */
export async function diagnose(
  file: string | undefined,
  { tools: createTools, ...place }: DiagnosisPlace,
): Promise<Diagnosis> {
  const secrets = new SecretFilter();
  const tools = createTools(secrets);
  const references = new FetchedSecrets(tools);
  const source = { ...place, ...(file === undefined ? {} : { path: file }), references };
  await references.fetch(source);
  const config = loadConfig(source);
  secrets.configure(config.secrets);
  const upstreams = await openNeeded(config, tools);
  try {
    const spaces = await examineSpaces({
      models: config.models.values(),
      operationsOf: (upstream) => upstreams.get(upstream)?.operations,
      now: tools.clock.now,
    });
    const targets = spaces.flatMap((space) => space.targets);
    const ends = endWarnings(config.models.values(), Date.now());
    const credentials = reportCredentials(upstreams, tools.timeOfDay());
    const text = [report(spaces), credentials, ends.map((warning) => `${warning}\n`).join("\n")]
      .filter((part) => part !== "")
      .join("\n");
    return { text: secrets.hide(text), isHealthy: targets.every(isFine) };
  } finally {
    await Promise.all([...upstreams.values()].map((provider) => provider.close()));
  }
}

/** The upstreams whose targets are asked. */
async function openNeeded(
  { models, upstreams }: Config,
  tools: ProviderTools,
): Promise<Map<string, OpenProvider>> {
  const names = new Set(
    modelsWithSpace(models.values()).flatMap(({ targets }) => targets.map(({ upstream }) => upstream)),
  );
  const needed = [...upstreams.values()].filter(({ name }) => names.has(name));
  return new Map(
    await Promise.all(
      needed.map(async (upstream) => [upstream.name, await openUpstream(upstream, tools)] as const),
    ),
  );
}

function isFine({ result }: ExaminedTarget): boolean {
  if ("failure" in result) return false;
  const verdict = result.comparison?.verdict ?? "same";
  return verdict === "same" || verdict === "close";
}

/** Left out where no target takes images. */
const imageColumn = "lowest of images";

const header = [
  "model",
  "upstream",
  "name there",
  "width",
  "ms",
  "lowest cosine",
  "neighbours kept",
  imageColumn,
  "verdict",
];

function report(spaces: readonly ExaminedSpace[]): string {
  if (spaces.length === 0) return "There is no embedding model whose targets are known.\n";
  const tables = spaces.map(({ space, targets }) => {
    const hasImages = targets.some(({ result }) => "takesImages" in result && result.takesImages);
    const rows = [header, ...targets.map(rowOf)].map((row) =>
      hasImages ? row : row.filter((_, column) => header[column] !== imageColumn),
    );
    return [`Space ${space}`, ...align(rows).map((row) => `  ${row}`), ...faultsOf(targets)].join("\n");
  });
  return `${tables.join("\n\n")}\n\n${summary(spaces)}\n`;
}

/** The credentials that expire or change. */
function reportCredentials(upstreams: ReadonlyMap<string, OpenProvider>, now: number): string {
  const rows = [...upstreams].flatMap(([name, { credential }]) => {
    const state = credential?.();
    return state === undefined ? [] : [[name, credentialText(state, now), state.error ?? ""]];
  });
  return rows.length === 0
    ? ""
    : `Credentials\n${align(rows)
        .map((row) => `  ${row}\n`)
        .join("")}`;
}

function rowOf({ model, target, result }: ExaminedTarget): string[] {
  const names = [model, target.upstream, target.model];
  if ("failure" in result) return [...names, "-", "-", "-", "-", "-", "no reply"];
  const { width, ms, comparison } = result;
  const { texts, images } = comparison ?? {};
  const isMeasured = texts !== undefined && texts.cosines.length > 0;
  return [
    ...names,
    String(width),
    ms.toFixed(0),
    cosineOf(texts),
    isMeasured ? `${texts.neighboursKept} of ${probeTexts.length}` : "-",
    cosineOf(images),
    verdictOf(comparison),
  ];
}

/** Vectors of different widths have no cosine. */
function cosineOf(comparison: SpaceComparison | undefined): string {
  return comparison === undefined || comparison.cosines.length === 0 ? "-" : comparison.cosineMin.toFixed(4);
}

function verdictOf(comparison: ProbeComparison | undefined): string {
  if (comparison === undefined) return "reference";
  const { verdict, differsIn, images } = comparison;
  return images === undefined || differsIn.length === 0
    ? verdict
    : `${verdict} in ${differsIn.join(" and ")}`;
}

function align(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function faultsOf(targets: readonly ExaminedTarget[]): string[] {
  return targets.flatMap(({ target, result }) => {
    if (!("failure" in result)) return [];
    const { failure } = result;
    return [`  ${target.upstream}: ${failure instanceof Error ? failure.message : String(failure)}`];
  });
}

function summary(spaces: readonly ExaminedSpace[]): string {
  const named = (has: (target: ExaminedTarget) => boolean) =>
    spaces.filter(({ targets }) => targets.some(has)).map(({ space }) => space);
  const silent = named(({ result }) => "failure" in result);
  const mixed = named((target) => !isFine(target) && !("failure" in target.result));
  if (mixed.length > 0)
    return `Mixed: ${mixed.join(", ")}. Vectors of these targets do not belong in one index. Give each of them its own model.`;
  if (silent.length > 0) return `Not known: ${silent.join(", ")}. A target did not reply.`;
  return spaces.some(({ targets }) => targets.length > 1)
    ? "The targets of each space agree."
    : "Every target answers. No space has a second one to compare.";
}
