import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import { isObject } from "@model-gateway/runtime/json";
import type { DestinationStream, Logger } from "pino";
import { escapeControls } from "./escape-controls.js";
import { type FinishedLogEntry, isProbe, type LogRequest } from "./log.js";

/** The log for people at a terminal. Programs read the JSON lines of `log.ts`. */
interface TextLogStyle {
  /** Escape sequences for colours, which only a terminal understands. */
  readonly hasColour: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Takes the JSON lines of `createLog` and writes sentences, with the fields behind them. */
export function textDestination(destination: DestinationStream, style: TextLogStyle): DestinationStream {
  return { write: (line) => destination.write(describeLine(line, style)) };
}

/** Widths of the columns. A longer text moves the rest of the line. */
const pathWidth = 28;
const modelWidth = 24;
const statusWidth = 3;
const msWidth = 8;
/** The path of a request may be as long as its caller likes. */
const textLengthMax = 100;

/** One line for each request. Probes, files of pages and reads of the admin API are lines of the level debug. */
export function createTextRequestLog(
  log: Logger,
  { destination, secrets, style }: TextRequestLogOptions,
): LogRequest {
  const paint = painter(style);
  return (finished) => {
    if (!log.isLevelEnabled(isQuiet(finished) ? "debug" : "info")) return;
    const { summary, method, status, ms } = finished;
    const foreign = (text: string) => escapeControls(secrets.hide(text), textLengthMax);
    const cells = [
      paint("dim", clock(style.now())),
      `${method.padEnd(4)} ${foreign(pathOf(finished)).padEnd(pathWidth)}`,
      foreign(summary.model ?? "").padEnd(modelWidth),
      paint(colourOf(status), String(status).padEnd(statusWidth)),
      `${formatMs(ms)} ms`.padStart(msWidth),
      [summary.upstream, summary.cache === "hit" ? "cache" : undefined, summary.errorCode]
        .flatMap((text) => (text === undefined ? [] : [foreign(text)]))
        .join("  "),
    ];
    destination.write(`${cells.join("  ").trimEnd()}\n`);
  };
}

interface TextRequestLogOptions {
  readonly destination: DestinationStream;
  readonly secrets: Pick<HideSecrets, "hide">;
  readonly style: TextLogStyle;
}

/** Requests that pages and machines send by themselves. Their lines would hide the others. */
function isQuiet(finished: FinishedLogEntry): boolean {
  const { summary, method, status } = finished;
  if (status >= 400) return false;
  const isRead = method === "GET" || method === "HEAD";
  const isPage = isRead && summary.operation === undefined;
  return isProbe(summary.operation) || isPage || (isRead && pathOf(finished).startsWith("/admin/"));
}

/** Without the query: links to files carry their signature there. */
function pathOf({ url }: FinishedLogEntry): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}

function describeLine(line: string, style: TextLogStyle): string {
  const parsed: unknown = JSON.parse(line);
  if (!isObject(parsed)) return line;
  const { level, time: _, msg, err, stack, ...fields } = parsed;
  const paint = painter(style);
  const failure = isObject(err) ? err : undefined;
  const { word, colour } = levels[String(level)] ?? {};
  const sentence = escapeControls(String(msg ?? failure?.message ?? ""));
  const details = Object.entries(fields).flatMap(([name, value]) => detailOf(name, value));
  const parts = [
    paint("dim", clock(style.now())),
    word === undefined ? sentence : `${paint(colour ?? "red", word)} ${sentence}`,
    details.length === 0 ? "" : paint("dim", `(${details.join(", ")})`),
  ];
  const cause = failure === undefined || msg === undefined ? [] : causeOf(failure, level);
  const below = [...cause, ...(Array.isArray(stack) ? stack.map(String) : [])];
  const indented = below.map((text) => `\n          ${paint("dim", escapeControls(text))}`);
  return `${parts.filter((part) => part !== "").join("  ")}${indented.join("")}\n`;
}

type Colour = "dim" | "red" | "yellow" | "green";

const levels: Readonly<Record<string, { readonly word: string; readonly colour: Colour }>> = {
  warn: { word: "Warning:", colour: "yellow" },
  error: { word: "Error:", colour: "red" },
  fatal: { word: "Error:", colour: "red" },
};

function detailOf(name: string, value: unknown): string[] {
  if (value === null || value === undefined) return [];
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return [`${name} ${escapeControls(text, textLengthMax)}`];
}

const stackLinesMax = 8;

/** The message of a failure. An error, which needs attention, has the stack as well. */
function causeOf({ message, stack }: Readonly<Record<string, unknown>>, level: unknown): string[] {
  if (level !== "warn" && typeof stack === "string") return stack.split("\n").slice(0, stackLinesMax);
  return typeof message === "string" && message !== "" ? [message] : [];
}

const codes: Readonly<Record<Colour, number>> = { dim: 2, red: 31, yellow: 33, green: 32 };

function painter({ hasColour }: TextLogStyle): (colour: Colour, text: string) => string {
  return (colour, text) => (hasColour ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text);
}

function colourOf(status: number): Colour {
  if (status >= 500) return "red";
  return status >= 400 ? "yellow" : "green";
}

/** The local time of day, because the reader is at this machine. */
function clock(ms: number): string {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

function formatMs(ms: number): string {
  return ms < 10 ? ms.toFixed(1) : String(Math.round(ms));
}
