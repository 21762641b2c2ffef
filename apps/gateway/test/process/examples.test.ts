import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { defaultConfig } from "@model-gateway/config/default-config";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type BuiltGateway, startBuiltGateway } from "../gateway/built.js";
import { testKey } from "../gateway/test-gateway.js";
import { qdrantKey, startFakeQdrant } from "../servers/fake-qdrant.js";
import { startPgvector } from "../servers/pgvector.js";

const examples = join(import.meta.dirname, "../../../docs/examples");
const run = promisify(execFile);

let gateway: BuiltGateway;
let folder: string;
beforeAll(async () => {
  gateway = await startBuiltGateway(defaultConfig);
});
afterAll(() => gateway.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "example-"));
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
});

/** The blocks of an example in one language. */
function blocks(name: string, language: string): string[] {
  const text = readFileSync(join(examples, `${name}.md`), "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, block = ""]) => block,
  );
}

/** Saves the program under the name that the page gives it, and runs the command that the page shows. */
async function runExample(name: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const text = readFileSync(join(examples, `${name}.md`), "utf8");
  const file = /Save this as `([\w.]+)`/.exec(text)?.[1] ?? "";
  const [program = ""] = blocks(name, "js");
  const command = blocks(name, "sh").at(-1) ?? "";
  expect(command).toContain(`node ${file}`);
  writeFileSync(join(folder, file), program);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GATEWAY_KEY: testKey,
    GATEWAY_URL: `${gateway.url}/v1`,
    ...environment,
  };
  // The test has its own chat server: variables before the command would name another.
  const own = command.slice(command.indexOf("node "));
  const { stdout } = await run("sh", ["-c", own], { cwd: folder, env });
  return stdout;
}

test("every example is run by a test", () => {
  expect(readdirSync(examples).sort()).toEqual([
    "langchain-rag.md",
    "pgvector.md",
    "product-shots.md",
    "qdrant.md",
    "semantic-search.md",
  ]);
});

test("the search finds the paragraph with the meaning of the question, in forty lines", async () => {
  mkdirSync(join(folder, "notes/kitchen"), { recursive: true });
  const bread = "A loaf stays soft for days in a linen bag or an earthenware crock.";
  writeFileSync(join(folder, "notes/kitchen/storage.md"), `# Storage\n\n${bread}\n\nFreeze leftover soup.\n`);
  writeFileSync(
    join(folder, "notes/travel.txt"),
    "The train to Vienna leaves at nine.\n\nTake a passport.\n",
  );
  writeFileSync(join(folder, "notes/photo.jpg"), "not text");

  const printed = await runExample("semantic-search");

  const lines = printed.trim().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^0\.\d\d kitchen\/storage\.md: A loaf stays soft/);
  const [program = ""] = blocks("semantic-search", "js");
  expect(program.trim().split("\n").length).toBeLessThanOrEqual(40);
});

test("the product stays as it was, and each background is painted", async () => {
  const size = { width: 256, height: 256 };
  const box = { create: { width: 64, height: 64, channels: 3 as const, background: "#c04010" } };
  await sharp({ create: { ...size, channels: 3, background: "white" } })
    .composite([{ input: await sharp(box).png().toBuffer(), left: 96, top: 96 }])
    .png()
    .toFile(join(folder, "product.png"));

  await runExample("product-shots");

  for (const name of ["shot-1.png", "shot-2.png"]) {
    const { data, info } = await sharp(join(folder, name))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3).subarray(0, 3)];
    const middle = [at(128, 128), at(100, 100), at(150, 150)];
    expect({ width: info.width, middle }).toEqual({
      width: 256,
      middle: Array.from({ length: 3 }, () => [0xc0, 0x40, 0x10]),
    });
    const corners = [at(5, 5), at(250, 5), at(5, 250)].map((pixel) => pixel.join());
    expect(corners.filter((pixel) => pixel !== "255,255,255")).not.toEqual([]);
  }
});

test("the chat model gets the passages that fit the question", async () => {
  writeFileSync(
    join(folder, "handbook.md"),
    [
      "Lunch is served from noon.",
      "The company buys each employee a computer every third year.",
      "The bicycle shed is locked at night.",
      "Holidays are agreed with the team.",
    ].join("\n\n"),
  );
  const chat = await startChat();

  const printed = await runExample("langchain-rag", {
    CHAT_URL: chat.url,
    CHAT_KEY: "chat-key",
    CHAT_MODEL: "chat-model",
  });
  chat.server.close();

  expect(chat.requests).toMatchObject([
    {
      model: "chat-model",
      messages: [
        { role: "system", content: expect.stringContaining("The company buys each employee a computer") },
        { role: "user", content: "Who pays for a new laptop?" },
      ],
    },
  ]);
  expect(chat.requests[0]?.messages[0]?.content).not.toContain("bicycle");
  expect(printed).toBe("The company pays.\n");
});

const notes = [
  "A loaf stays soft for days in a linen bag or an earthenware crock.",
  "The train to Vienna leaves at nine.",
  "Freeze leftover soup.",
  "Take a passport.",
];

test("pgvector finds the passage, twice, and the gateway refuses vectors of another space", async () => {
  writeFileSync(join(folder, "notes.txt"), notes.join("\n\n"));
  const postgres = await startPgvector();
  const run = () => runExample("pgvector", { DATABASE_URL: postgres.url });

  const printed = [await run(), await run()];
  const { Client } = (await import("pg")).default;
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query("SELECT count(*)::int AS count, min(space) AS space FROM passages");
  // A table of four rows is read as a whole otherwise.
  await client.query("SET enable_seqscan = off");
  const plan = await client.query({
    text: "EXPLAIN SELECT text FROM passages ORDER BY embedding <=> (SELECT embedding FROM passages LIMIT 1) LIMIT 3",
    rowMode: "array",
  });
  await client.query("UPDATE passages SET space = 'another:384:any'");
  await client.end();
  const refused = await run().catch(String);
  await postgres.close();

  expect(printed[0]?.split("\n")[0]).toMatch(/^0\.\d\d A loaf stays soft/);
  expect(printed[1]).toBe(printed[0]);
  expect(rows).toEqual([{ count: 4, space: expect.stringMatching(/^\w+:384/) }]);
  expect(plan.rows.join("\n")).toContain("passages_embedding");
  expect(refused).toMatch(/409|space_mismatch/);
});

test("Qdrant finds the passage, and a second run stores nothing twice", async () => {
  writeFileSync(join(folder, "notes.txt"), notes.join("\n\n"));
  const qdrant = await startFakeQdrant();
  const environment = { QDRANT_URL: qdrant.url, QDRANT_API_KEY: qdrantKey };

  const printed = [await runExample("qdrant", environment), await runExample("qdrant", environment)];
  qdrant.close();

  expect(printed[0]?.split("\n")[0]).toMatch(/^0\.\d\d A loaf stays soft/);
  expect(printed[1]).toBe(printed[0]);
  const stored = [...qdrant.collections].map(([name, { size, points }]) => [name, size, points.size]);
  expect(stored).toEqual([[expect.stringMatching(/^passages-\w+-384/), 384, 4]]);
});

interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** A server with OpenAI's chat API. It keeps its requests. */
async function startChat(): Promise<{ server: Server; url: string; requests: ChatRequest[] }> {
  const requests: ChatRequest[] = [];
  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push(JSON.parse(body));
    const message = { role: "assistant", content: "The company pays." };
    response.setHeader("content-type", "application/json").end(
      JSON.stringify({
        id: "chat-1",
        object: "chat.completion",
        created: 1,
        model: "chat-model",
        choices: [{ index: 0, message, finish_reason: "stop" }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };
}
