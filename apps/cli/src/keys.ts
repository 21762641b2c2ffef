import type { Schemas } from "@model-gateway/domain/operations";
import { typedCommand } from "@model-gateway/domain/typed-command";
import { UsageError } from "./command-line.js";
import type { CommandOf } from "./command-table.js";
import { clockOfSeconds, count, money } from "./print/figures.js";
import { headed, type TableCell, tableLines } from "./print/table.js";
import { createPaint, harmless, type Report, type Terminal } from "./print/terminal.js";
import { CommandError } from "./remote/command-error.js";
import type { RemoteGateway } from "./remote/remote-gateway.js";

type CreateKeyRequest = Schemas["CreateKeyRequest"];

/** Creates a key. Its secret is printed here and nowhere else. */
export async function createKey(
  command: CommandOf<"keys create">,
  gateway: RemoteGateway,
  terminal: Terminal,
): Promise<Report> {
  const body = keyRequest(command);
  const created = await gateway.administer((client, options) => client.createKey(body, options));
  const paint = createPaint(terminal);
  const lines = [
    `Created the key ${harmless(created.name)} (${created.id}). Store it now, because it is not shown again:`,
    "",
    `  ${paint("strong", created.value)}`,
    "",
    `Callers send it as Authorization: Bearer. Their base URL is ${gateway.url}/v1.`,
  ];
  return { text: `${lines.join("\n")}\n`, document: created };
}

/** The body of the request: only the restrictions that were asked for. */
export function keyRequest(command: CommandOf<"keys create">): CreateKeyRequest {
  const { "key-name": name, owner, models, priority, budget, expires } = command;
  const limits = Object.fromEntries(
    limitOptions.flatMap((option) => {
      const value = command[option];
      return value === undefined ? [] : [[option.replaceAll("-", "_"), value]];
    }),
  );
  return {
    name,
    ...(owner !== undefined && { owner }),
    ...(models !== undefined && { models: models.split(",").map((model) => model.trim()) }),
    // The table has the two values of the API.
    ...(priority !== undefined && { priority: priority === "bulk" ? "bulk" : "interactive" }),
    ...(budget !== undefined && { budget: readBudget(budget) }),
    ...(expires !== undefined && { expires_at: readDate(expires) }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

const limitOptions = [
  "requests-per-minute",
  "requests-per-day",
  "tokens-per-minute",
  "tokens-per-day",
  "images-per-minute",
  "images-per-day",
  "max-concurrency",
] as const;

function readBudget(text: string): NonNullable<CreateKeyRequest["budget"]> {
  const [, usd, per] = /^\$?(\d{1,7}(?:\.\d{1,2})?)\/(day|month)$/.exec(text) ?? [];
  if (usd === undefined || (per !== "day" && per !== "month"))
    throw new UsageError("The option --budget needs an amount and a period: 25/month or 2.50/day.");
  return { usd: Number(usd), per };
}

/** The start of a day in UTC, in Unix seconds. */
function readDate(text: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms)) throw new UsageError("The option --expires needs a date: 2027-06-30.");
  return ms / 1000;
}

/** More than this is a list for a program, which can read the API page by page. */
const listedMax = 1000;

export async function listKeys(
  _command: CommandOf<"keys list">,
  gateway: RemoteGateway,
  terminal: Terminal,
): Promise<Report> {
  const page = await gateway.administer((client, options) => client.listKeys({ limit: listedMax }, options));
  const now = new Date();
  const header = ["id", "name", "owner", "state", "models", "spent", "last used"];
  const rows = headed(
    header,
    page.data.map((key) => cellsOf(key, now)),
  );
  const lines = page.data.length === 0 ? [] : tableLines(rows, createPaint(terminal));
  const more = page.next_cursor === null ? "" : ". There are more: the console and the API list all of them";
  return { text: `${[...lines, `${count(page.data.length, "key")}${more}`].join("\n")}\n`, document: page };
}

function cellsOf(key: Schemas["AccessKey"], now: Date): TableCell[] {
  const { id, name, owner, status, models, budget, spent_usd, last_used_at } = key;
  const spent = `${money(spent_usd)}${budget === null ? "" : ` of ${money(budget.usd)}/${budget.per}`}`;
  return [
    id,
    name,
    owner ?? "-",
    { text: status, tone: status === "active" ? "good" : "bad" },
    models === null ? "all" : models.join(" "),
    spent,
    last_used_at === null ? "never" : clockOfSeconds(last_used_at, now),
  ];
}

/** Gives the key of an id, or the only key of a name, a new secret. It is printed here and nowhere else. */
export async function rotateKey(
  { key, overlap }: CommandOf<"keys rotate">,
  gateway: RemoteGateway,
  terminal: Terminal,
): Promise<Report> {
  const body = overlap === undefined ? {} : { overlap_seconds: readOverlap(overlap) };
  const id = await findKey(key, gateway, "rotated");
  const rotated = await gateway.administer((client, options) => client.rotateKey(id, body, options));
  const [earlier] = rotated.old_secrets;
  const lines = [
    `The key ${harmless(rotated.name)} (${rotated.id}) has a new secret. Store it now, because it is not shown again:`,
    "",
    `  ${createPaint(terminal)("strong", rotated.value)}`,
    "",
    earlier === undefined
      ? "The earlier secret stops working within a second on every gateway."
      : `The earlier secret ${earlier.redacted_value} works until ${clockOfSeconds(earlier.expires_at, new Date())}.`,
  ];
  return { text: `${lines.join("\n")}\n`, document: rotated };
}

const secondsOf = { m: 60, h: 3600, d: 86_400 };

/** The gateway refuses more than 30 days. */
function readOverlap(text: string): number {
  const [, count = "", unit] = /^(\d{1,6})([mhd])?$/.exec(text) ?? [];
  const isGiven = unit === "m" || unit === "h" || unit === "d";
  if (count === "" || (!isGiven && Number(count) !== 0))
    throw new UsageError("The option --overlap needs a time: 0, 30m, 24h or 7d.");
  return isGiven ? Number(count) * secondsOf[unit] : 0;
}

/** Revokes the key of an id, or the only active key of a name. */
export async function revokeKey({ key }: CommandOf<"keys revoke">, gateway: RemoteGateway): Promise<Report> {
  const id = await findKey(key, gateway, "revoked");
  const revoked = await gateway.administer((client, options) => client.revokeKey(id, options));
  const text = `Revoked the key ${harmless(revoked.name)} (${revoked.id}). It stops working within a second on every gateway.\n`;
  return { text, document: revoked };
}

async function findKey(
  wanted: string,
  gateway: RemoteGateway,
  outcome: "rotated" | "revoked",
): Promise<string> {
  if (/^(key_|config:)/.test(wanted)) return wanted;
  const page = await gateway.administer((client, options) =>
    client.listKeys({ search: wanted, limit: listedMax }, options),
  );
  const named = page.data.filter(({ name, status }) => name === wanted && status !== "revoked");
  const [only, another] = named;
  if (only === undefined)
    throw new CommandError(
      `There is no key ${JSON.stringify(wanted)} that can be ${outcome}. ${typedCommand("keys list")} shows all.`,
    );
  if (another !== undefined)
    throw new CommandError(
      `Several keys are called ${JSON.stringify(wanted)}. Name one by its id: ${named.map(({ id }) => id).join(", ")}.`,
    );
  return only.id;
}
