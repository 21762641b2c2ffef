import { typedCommand } from "@model-gateway/domain/typed-command";
import type { CommandOf, connectedTools } from "./command-table.js";
import type { Check } from "./connect/checks.js";
import { keyVariable, type ProgramSettings, tools } from "./connect/tools.js";
import { type TableCell, tableLines } from "./print/table.js";
import { createPaint, harmless, type Report, type Terminal } from "./print/terminal.js";
import { chooseModel, findModel, listModels } from "./remote/choose-model.js";
import { CommandError } from "./remote/command-error.js";
import type { RemoteGateway } from "./remote/remote-gateway.js";

/** Prints the settings of a program, and checks them with requests as that program sends them. */
export async function connect(
  { tool, model, image: triesImage }: CommandOf<"connect">,
  gateway: RemoteGateway,
  terminal: Terminal,
): Promise<Report> {
  const baseUrl = `${gateway.url}/v1`;
  const { connection, id } = await gateway.asCaller(async (caller) => {
    const models = await listModels(caller);
    const id = await chooseModel(caller, { type: "embedding", asked: model });
    const embedding = models.find((one) => one.id === id || one.aliases?.includes(id));
    if (embedding?.embedding === undefined)
      throw new CommandError(
        `${JSON.stringify(id)} is not an embedding model of the gateway. ${typedCommand("models")} lists all.`,
      );
    const image = findModel(models, "image");
    // The parser has checked the name.
    const describe = tools[tool as (typeof connectedTools)[number]];
    const target = { caller, baseUrl, embedding: { ...embedding, id }, image, triesImage };
    return { connection: await describe(target), id };
  });
  const { place, lines, settings, checks, notes } = connection;
  return {
    text: describeConnection(connection, { tool, gateway, terminal }),
    document: {
      tool,
      base_url: baseUrl,
      model: id,
      key_variable: keyVariable,
      place,
      settings,
      text: lines.join("\n"),
      checks,
      notes: [...notes, ...networkNotes(gateway.url)],
    },
    isFine: checks.every(({ ok }) => ok),
  };
}

interface Description {
  readonly tool: string;
  readonly gateway: RemoteGateway;
  readonly terminal: Terminal;
}

function describeConnection(
  { place, lines, checks, notes }: ProgramSettings,
  { tool, gateway, terminal }: Description,
): string {
  const paint = createPaint(terminal);
  return `${[
    paint("strong", `${tool}: ${place}`),
    "",
    ...lines.map((line) => `  ${harmless(line)}`.trimEnd()),
    "",
    `${keyVariable} is an API key of the gateway: ${typedCommand(`keys create ${tool}`)}`,
    ...notes,
    ...networkNotes(gateway.url),
    "",
    checks.every(({ ok }) => ok) ? "Checked:" : "The check failed:",
    ...tableLines(checks.map(cellsOf), paint),
  ].join("\n")}\n`;
}

function cellsOf({ request, ok, detail }: Check): TableCell[] {
  return [{ text: ok ? "works" : "fails", tone: ok ? "good" : "bad" }, request, detail];
}

/** A program in a container does not reach the loopback address of its host. */
function networkNotes(url: string): string[] {
  const { hostname, protocol, port } = new URL(url);
  if (!/^(127\.|localhost$|\[::1\]$)/.test(hostname)) return [];
  const reachable = `${protocol}//host.docker.internal${port === "" ? "" : `:${port}`}/v1`;
  return [`From a container the address is ${reachable}, and the gateway must listen there: HOST=0.0.0.0.`];
}
