/**
 * Records the screencast of the README: `npm run build`, then `node apps/gateway/screencast/record.mjs`. It starts the
 * built gateway in an empty folder, sends the request that the start prints, and follows the console link. Every text
 * in the picture is the gateway's own; only the commands are typed by this script.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Film } from "./film.mjs";

const target = fileURLToPath(new URL("../../docs/guides/images/first-minute.webp", import.meta.url));
const prompt = "$ ";
const command = "npx @model-gateway/gateway";
const texts = [
  "A cat sat on the mat.",
  "A kitten rests on a rug.",
  "The market fell today.",
  "Shares lost value.",
];

const folder = mkdtempSync(join(tmpdir(), "screencast-"));
const gateway = spawn(process.execPath, [join(import.meta.dirname, "../bin.mjs"), "--log", "text"], {
  cwd: folder,
  env: { PATH: process.env.PATH, HOME: folder, PORT: process.env.PORT ?? "8080" },
  stdio: ["ignore", "pipe", "inherit"],
});
let output = "";
gateway.stdout.setEncoding("utf8").on("data", (text) => {
  output += text;
});
const exited = once(gateway, "exit");

try {
  await printed(/ -d '[^\n]+\n\n/);
  const film = await Film.open();
  await filmStart(film);
  await filmRequest(film);
  await filmConsole(film);
  const { size } = await film.write(target);
  process.stdout.write(`${target}: ${Math.round(size / 1024)} KiB\n`);
} finally {
  gateway.kill();
  await exited;
  rmSync(folder, { recursive: true, force: true });
}

/** @param {Film} film */
async function filmStart(film) {
  for (const length of [0, 4, 18, command.length]) {
    await film.showTerminal(`${prompt}${command.slice(0, length)}`);
    await film.take(length === 0 ? 600 : 250);
  }
  const [starting = ""] = output.split("\n\n");
  await film.showTerminal(`${prompt}${command}\n${starting}`);
  await film.take(900);
  await film.showTerminal(`${prompt}${command}\n${output}`);
  await film.take(3500);
}

/** Pastes the request of the greeting. Its line in the log follows. @param {Film} film */
async function filmRequest(film) {
  const [curl = ""] = /curl [\s\S]*?'\n/.exec(output) ?? [];
  const response = execFileSync("sh", ["-c", curl.replace("curl ", "curl --silent --show-error ")], {
    encoding: "utf8",
  });
  await printed(/POST \/v1\/embeddings .* 200 /);
  await film.showTerminal(`${prompt}${curl.trim()}\n${response.slice(0, 420)}…\n`);
  await film.take(2500);
  await film.showTerminal(`${prompt}${command}\n${output}`);
  await film.take(2500);
}

/** @param {Film} film */
async function filmConsole(film) {
  const { page } = film;
  const [link = ""] = /http\S+#code=\w+/.exec(output) ?? [];
  await page.goto(link);
  await showPage(film, "Overview", 2200);
  await page.getByRole("link", { name: "Models", exact: true }).click();
  await showPage(film, "Models", 2200);
  await page.getByRole("link", { name: "Embeddings", exact: true }).click();
  await showPage(film, "Embeddings", 700);
  await page.getByLabel("One text a line").fill(texts.join("\n"));
  await film.take(900);
  await page.keyboard.press("Control+Enter");
  await page
    .locator(".matrix tbody tr")
    .nth(texts.length - 1)
    .waitFor();
  await film.take(3500);
}

/** @param {Film} film @param {string} title @param {number} ms */
async function showPage(film, title, ms) {
  await film.page.getByRole("heading", { level: 1, name: title }).waitFor();
  await film.page.locator(".bones").first().waitFor({ state: "detached" });
  await film.take(ms);
}

/** Waits until the gateway has written a text. @param {RegExp} pattern */
async function printed(pattern) {
  while (!pattern.test(output)) {
    if (gateway.exitCode !== null) throw new Error(`The gateway did not start: ${output}`);
    await once(gateway.stdout, "data");
  }
}
