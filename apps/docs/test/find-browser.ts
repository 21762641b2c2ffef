import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import sparticuz from "@sparticuz/chromium";

/** The command that starts a browser. */
export interface BrowserCommand {
  readonly executablePath: string;
  readonly args: string[];
}

const installed = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Finds a browser: the one from npm on Linux x64, an installed one elsewhere. */
export async function findBrowser(): Promise<BrowserCommand | undefined> {
  if (process.platform === "linux" && process.arch === "x64")
    return { executablePath: await alone(() => sparticuz.executablePath()), args: processArguments() };
  const executablePath = [process.env.CHROME_PATH ?? "", ...installed].find((path) => existsSync(path));
  return executablePath === undefined
    ? undefined
    : { executablePath, args: ["--no-sandbox", "--disable-gpu"] };
}

/**
 * Arguments that only suit a function in the cloud. In a single process, a window that is closed may end the browser.
 * Graphics drawn by SwiftShader took more CPU than everything else, even on a page that does not change.
 */
const cloudArguments =
  /^--(single-process|disable-web-security|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist)\b/;

function processArguments(): string[] {
  return [...sparticuz.args.filter((argument) => !cloudArguments.test(argument)), "--disable-gpu"];
}

const lock = join(tmpdir(), "unpacking-chromium");
/** A process that took longer than this was killed. */
const unpackingMs = 120_000;

/** Of several processes one unpacks the browser and the others wait, since a file that is being written cannot be run. */
async function alone<T>(unpack: () => Promise<T>): Promise<T> {
  while (!claimed()) await setTimeout(50);
  try {
    return await unpack();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function claimed(): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > unpackingMs) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}
