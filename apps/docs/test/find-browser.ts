import { existsSync } from "node:fs";
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
    return { executablePath: await sparticuz.executablePath(), args: sparticuz.args };
  const executablePath = [process.env.CHROME_PATH ?? "", ...installed].find((path) => existsSync(path));
  return executablePath === undefined
    ? undefined
    : { executablePath, args: ["--no-sandbox", "--disable-gpu"] };
}
