import { asSource, exampleCalls } from "./example-calls.js";

/** A program in TypeScript that calls every method with the examples of the spec, and prints the results by name. */
export function everyOperation(): string {
  const lines = exampleCalls.map((call) => `report.${call.name} = ${resultOf(call)};\n`);
  return `import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({
  baseUrl: process.env.GATEWAY_URL ?? "",
  apiKey: process.env.GATEWAY_KEY,
  adminKey: process.env.GATEWAY_ADMIN_KEY,
});
const report: Record<string, unknown> = {};

async function collect(all: AsyncIterable<unknown>): Promise<unknown[]> {
  const entries: unknown[] = [];
  for await (const entry of all) entries.push(entry);
  return entries;
}

${lines.join("")}
console.log(JSON.stringify(report));
`;
}

function resultOf(call: (typeof exampleCalls)[number]): string {
  const { returns } = call.method;
  if (returns === "pages") return `await collect(${asSource(call)})`;
  const data = `unwrap(await ${asSource(call)})`;
  if (returns === "events") return `await collect(${data})`;
  return returns === "bytes" ? `await ${data}.text()` : data;
}
