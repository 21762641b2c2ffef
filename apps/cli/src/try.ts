import type { CommandPlace } from "./check.js";
import type { CommandOf } from "./command-table.js";
import { money } from "./print/figures.js";
import { tableLines } from "./print/table.js";
import { createPaint, harmless, type Report, type Terminal } from "./print/terminal.js";
import { chooseModel } from "./remote/choose-model.js";
import { findRequest, type RequestFigures } from "./remote/find-request.js";
import { embeddingMs, imageMs, type RemoteGateway } from "./remote/remote-gateway.js";
import { type ImageOutput, openImageOutput } from "./try-image.js";

const numbersShown = 4;

/** Sends one request to a model, and shows what it took. */
export async function tryModel(
  command: CommandOf<"try">,
  gateway: RemoteGateway,
  { terminal, place }: { readonly terminal: Terminal; readonly place: CommandPlace },
): Promise<Report> {
  if (!command.image) return tryEmbedding(command, gateway, terminal);
  // Before anything is paid for.
  const output = openImageOutput(command, place);
  return tryImage(command, gateway, { terminal, output });
}

async function tryEmbedding(
  { text, model: asked }: CommandOf<"try">,
  gateway: RemoteGateway,
  terminal: Terminal,
): Promise<Report> {
  const { called, model, durationMs } = await gateway.asCaller(async (caller) => {
    const model = await chooseModel(caller, { type: "embedding", asked });
    const startedAt = performance.now();
    const called = await caller.call(
      (client, options) => client.createEmbedding({ model, input: text, encoding_format: "float" }, options),
      embeddingMs,
    );
    return { called, model, durationMs: performance.now() - startedAt };
  });
  const [first] = called.data.data;
  const embedding = Array.isArray(first?.embedding) ? first.embedding : [];
  const figures = await findRequest(gateway, called);
  const shown = embedding.slice(0, numbersShown).map((number) => number.toFixed(4));
  const vector = `[${[...shown, ...(embedding.length > numbersShown ? ["…"] : [])].join(", ")}]`;
  return {
    text: summarise(`${model}: a vector of ${embedding.length} numbers in ${durationMs.toFixed(0)} ms`, {
      terminal,
      rows: [["vector", vector], ["tokens", String(called.data.usage.total_tokens)], ...rowsOf(figures)],
    }),
    document: {
      model,
      dimensions: embedding.length,
      duration_ms: Math.round(durationMs),
      usage: called.data.usage,
      ...figures,
      embedding,
    },
  };
}

async function tryImage(
  { text: prompt, model: asked, size }: CommandOf<"try">,
  gateway: RemoteGateway,
  { terminal, output }: { readonly terminal: Terminal; readonly output: ImageOutput },
): Promise<Report> {
  const { called, model, durationMs } = await gateway.asCaller(async (caller) => {
    const model = await chooseModel(caller, { type: "image", asked });
    const body = {
      model,
      prompt,
      response_format: "b64_json" as const,
      output_format: output.format,
      ...(size === undefined ? {} : { size }),
    };
    const startedAt = performance.now();
    const called = await caller.call((client, options) => client.createImage(body, options), imageMs);
    return { called, model, durationMs: performance.now() - startedAt };
  });
  const bytes = output.write(called.data.data?.[0]?.b64_json);
  const figures = await findRequest(gateway, called);
  return {
    text: summarise(`${model}: ${output.name}, ${bytes} bytes, in ${durationMs.toFixed(0)} ms`, {
      terminal,
      rows: rowsOf(figures),
    }),
    document: {
      model,
      file: output.name,
      bytes,
      duration_ms: Math.round(durationMs),
      usage: called.data.usage ?? null,
      ...figures,
    },
  };
}

function rowsOf({ cost_usd, upstream, cache, request_id }: RequestFigures): [string, string][] {
  const servedBy = upstream ?? (cache === "hit" ? "the cache" : "unknown");
  return [
    ["cost", money(cost_usd)],
    ["served by", servedBy],
    ["request", request_id ?? "unknown"],
  ];
}

function summarise(
  headline: string,
  { rows, terminal }: { readonly rows: readonly [string, string][]; readonly terminal: Terminal },
): string {
  const paint = createPaint(terminal);
  const cells = rows.map(([name, value]) => [{ text: name, tone: "faint" as const }, value]);
  return `${[paint("strong", harmless(headline)), ...tableLines(cells, paint)].join("\n")}\n`;
}
