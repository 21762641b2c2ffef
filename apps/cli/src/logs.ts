import { setTimeout } from "node:timers/promises";
import type { GatewayEvent } from "@model-gateway/client";
import type { Schemas } from "@model-gateway/domain/operations";
import type { CommandOf } from "./command-table.js";
import { clock } from "./print/figures.js";
import { requestCells } from "./print/request-line.js";
import { type TableCell, tableLines } from "./print/table.js";
import { createPaint, harmless, type Paint, type Terminal } from "./print/terminal.js";
import type { RemoteGateway } from "./remote/remote-gateway.js";

const defaultLimit = 20;
/** The most that one page of the API has. */
const limitMax = 1000;
/** A stream that ends at once is not opened again without a pause. */
const reconnectMs = 300;

interface Printer {
  /** Prints one request or event. */
  readonly print: (entry: Schemas["RequestRecord"] | GatewayEvent) => void;
}

/** Prints past requests, oldest first, and then events as they happen if that was asked for. */
export async function logs(
  command: CommandOf<"logs">,
  gateway: RemoteGateway,
  terminal: Terminal,
): Promise<void> {
  const printer = createPrinter(command, terminal);
  // The stream is opened first, so that no request falls between the list and the stream.
  const events = command.follow ? await gateway.openEvents() : undefined;
  const past = await listPast(command, gateway);
  for (const request of past) printer.print(request);
  if (events !== undefined) await follow(events, { command, gateway, terminal, printer, past });
}

async function listPast(
  { limit = defaultLimit, failed, model }: CommandOf<"logs">,
  gateway: RemoteGateway,
): Promise<readonly Schemas["RequestRecord"][]> {
  const query = {
    limit: Math.min(limit, limitMax),
    ...(failed && { failed }),
    ...(model !== undefined && { model }),
  };
  const page = await gateway.administer((client, options) => client.listRequests(query, options));
  return page.data.toReversed();
}

interface LogFollowing {
  readonly command: CommandOf<"logs">;
  readonly gateway: RemoteGateway;
  readonly terminal: Terminal;
  readonly printer: Printer;
  readonly past: readonly Schemas["RequestRecord"][];
}

/** The gateway ends a stream when its configuration changes. A gateway that has stopped is reported by `openEvents`. */
async function follow(first: AsyncIterable<GatewayEvent>, following: LogFollowing): Promise<void> {
  const { command, gateway, terminal, printer, past } = following;
  const seen = new Set(past.map(({ id }) => id));
  let events = first;
  while (!terminal.signal.aborted) {
    for await (const event of untilAborted(events, terminal.signal))
      if (isWanted(event, command) && !(event.type === "request.finished" && seen.has(event.data.id)))
        printer.print(event);
    await setTimeout(reconnectMs, undefined, terminal).catch(() => undefined);
    if (!terminal.signal.aborted) events = await gateway.openEvents();
  }
}

/** Ends quietly when the person ends the command, or when the connection breaks: the next one says why. */
async function* untilAborted(
  events: AsyncIterable<GatewayEvent>,
  signal: AbortSignal,
): AsyncGenerator<GatewayEvent> {
  try {
    for await (const event of events) {
      if (signal.aborted) return;
      yield event;
    }
  } catch {
    return;
  }
}

function isWanted(event: GatewayEvent, { failed, model }: CommandOf<"logs">): boolean {
  if (event.type === "stream.started") return false;
  if (event.type !== "request.finished") return true;
  return (!failed || isFailure(event.data)) && (model === undefined || event.data.model === model);
}

function createPrinter({ json }: CommandOf<"logs">, terminal: Terminal): Printer {
  const paint = createPaint(terminal);
  return {
    print: (entry) => {
      const line = json ? JSON.stringify(entry) : describe(entry, paint);
      terminal.print(`${line}\n`);
    },
  };
}

/** The width of each column, because a line is printed before the next is known. */
const widths = [8, 3, 15, 24, 12, 16, 8, 10, 12];

function describe(entry: Schemas["RequestRecord"] | GatewayEvent, paint: Paint): string {
  const now = new Date();
  if ("object" in entry) return requestLine(entry, { now, paint });
  if (entry.type === "request.finished") return requestLine(entry.data, { now, paint });
  return `${paint("faint", clock(new Date(entry.timestamp), now))}  ${harmless(eventText(entry))}`;
}

function requestLine(
  request: Schemas["RequestRecord"],
  { now, paint }: { readonly now: Date; readonly paint: Paint },
): string {
  const cells = requestCells(request, now).map((cell, column): TableCell => {
    const width = widths[column] ?? 0;
    return typeof cell === "string" ? cell.padEnd(width) : { ...cell, text: cell.text.padEnd(width) };
  });
  return (tableLines([cells], paint)[0] ?? "").slice(2);
}

function eventText(event: Exclude<GatewayEvent, { readonly type: "request.finished" }>): string {
  switch (event.type) {
    case "target.state_changed": {
      const { upstream, model, previous_state, state, error_message } = event.data;
      const reason = error_message === null ? "" : `: ${error_message}`;
      return `target ${upstream}/${model} was ${previous_state} and is ${state}${reason}`;
    }
    case "configuration.reloaded":
      return event.data.accepted
        ? "configuration reloaded"
        : `configuration refused: ${event.data.faults.join("; ")}`;
    case "events.dropped":
      return `${event.data.dropped} requests were not shown: there were more than the stream carries`;
    default:
      return event.type;
  }
}

/** As the API counts them: a caller who left is none. */
function isFailure({ status }: { readonly status: number }): boolean {
  return status >= 400 && status !== 499;
}
