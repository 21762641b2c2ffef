import type { Schemas } from "@model-gateway/domain/operations";
import { matchesWildcard } from "@model-gateway/domain/wildcard";
import type { CommandOf } from "./command-table.js";
import { count } from "./print/figures.js";
import { headed, type TableCell, tableLines } from "./print/table.js";
import { createPaint, type Report, type Terminal } from "./print/terminal.js";
import type { RemoteGateway } from "./remote/remote-gateway.js";

type ReportedModel = Schemas["Model"] | Schemas["AdminModel"];

/** The models of a running gateway. Without the admin key, those that the caller's key may call, without targets. */
export async function models(
  { filter }: CommandOf<"models">,
  gateway: RemoteGateway,
  terminal: Terminal,
): Promise<Report> {
  const all = await listModels(gateway);
  const shown = all.filter((model) => filter === undefined || matches(model, filter));
  const rows = headed(["model", "type", "output", "facts", "state", "targets"], shown.map(cellsOf));
  const lines = shown.length === 0 ? [] : tableLines(rows, createPaint(terminal));
  const number =
    filter === undefined ? count(all.length, "model") : `${shown.length} of ${count(all.length, "model")}`;
  return { text: `${[...lines, number].join("\n")}\n`, document: { object: "list", data: shown } };
}

async function listModels(gateway: RemoteGateway): Promise<readonly ReportedModel[]> {
  if (gateway.hasAdminKey)
    return (await gateway.administer((client, options) => client.listAdminModels(options))).data;
  return gateway.asCaller(async (caller) => {
    const { data } = await caller.call((client, options) => client.listModels(options));
    return data.data;
  });
}

function matches(model: ReportedModel, filter: string): boolean {
  const wanted = filter.toLowerCase();
  const pattern = wanted.includes("*") ? wanted : `*${wanted}*`;
  const names = [model.id, ...(model.aliases ?? []), ...targetsOf(model).map(({ upstream }) => upstream)];
  return names.some((name) => matchesWildcard(pattern, name.toLowerCase()));
}

function cellsOf(model: ReportedModel): TableCell[] {
  const { id, type, status, status_reason } = model;
  const targets = targetsOf(model).map(({ upstream, model: name, state }) =>
    state === "healthy" || state === "unknown" || state === null
      ? `${upstream}/${name}`
      : `${upstream}/${name} (${state})`,
  );
  return [
    id,
    type,
    outputOf(model),
    factsCell(model),
    { text: status, tone: statusTones[status] },
    [...targets, ...(status_reason ? [status_reason] : [])].join(", "),
  ];
}

/** Whether the gateway knows what the model can do, and the day on which that was read last. */
function factsCell(model: ReportedModel): TableCell {
  const known = "targets" in model ? model.targets.flatMap(({ facts }) => facts ?? []) : [];
  const state = known.find((one) => one.state === "assumed")?.state ?? known[0]?.state;
  const days = known.flatMap(({ pages }) => pages.map((page) => page.read_on));
  const facts = "facts" in model ? model.facts : { state, read_on: days.sort().at(-1) ?? null };
  if (facts?.state === "assumed") return { text: "assumed", tone: "warning" };
  return facts?.read_on == null ? "" : `read ${facts.read_on}`;
}

const statusTones = { ready: "good", degraded: "warning", failing: "bad", unavailable: "bad" } as const;

const sizesMax = 4;

/** The length of the vectors, or the sizes of the images. */
function outputOf({ embedding, image }: ReportedModel): string {
  if (embedding !== undefined)
    return embedding.dimensions === null
      ? "any width"
      : `${embedding.dimensions} wide${embedding.matryoshka ? " or less" : ""}`;
  const sizes = image?.sizes ?? [];
  const shown = sizes.slice(0, sizesMax).join(" ");
  return sizes.length > sizesMax ? `${shown} …` : shown;
}

function targetsOf(model: ReportedModel): readonly Schemas["AdminTarget"][] {
  return "targets" in model ? model.targets : [];
}
