/**
 * The process edge: arguments in, one command run, its failure explained. `process/` has the parts for serving. Each
 * command is loaded on demand: most need a small part of the program, and loading all of it takes half a second.
 */
import { readFileSync } from "node:fs";
import { parseCommandLine, UsageError } from "@model-gateway/cli/command-line";
import { CodeCache } from "@model-gateway/runtime/code-cache";
import { setV8Flags } from "@model-gateway/runtime/v8-flags";
import { explainFailure } from "./process/explain-failure.js";

/** Requests that wait for the start come first. */
const keepCodeAfterMs = 2000;

setV8Flags(process.versions.node);

try {
  await main();
} catch (failure) {
  process.stderr.write(`${explainFailure(failure)}\n`);
  process.exit(failure instanceof UsageError ? 2 : 1);
}

async function main(): Promise<void> {
  const command = parseCommandLine(process.argv.slice(2));
  const place = { environment: process.env, workingDirectory: process.cwd() };
  switch (command.name) {
    case "serve": {
      const code = new CodeCache(import.meta.dirname);
      const { serve } = code.load("serve.cjs") as typeof import("./process/serve.js");
      return serve({
        configFile: command.config,
        host: command.host,
        port: command.port,
        version: version(),
        log: command.log,
        detects: !command["no-detect"],
        onServing: () => setTimeout(() => void code.keep(), keepCodeAfterMs).unref(),
      });
    }
    case "init": {
      const { runInit } = await import("./commands/init/run-init.js");
      const { commandTools } = await import("./process/command-tools.js");
      return print(await runInit(command, { ...place, tools: commandTools }, process));
    }
    case "check": {
      const { checkConfig } = await import("@model-gateway/cli/check");
      const { credentialTools: tools } = await import("./process/command-tools.js");
      return print(await checkConfig(command.file, { ...place, detects: !command["no-detect"], tools }));
    }
    case "doctor": {
      const { diagnose } = await import("./commands/doctor.js");
      const { commandTools } = await import("./process/command-tools.js");
      const { text, isHealthy } = await diagnose(command.file, { ...place, tools: commandTools });
      print(text);
      process.exitCode = isHealthy ? 0 : 1;
      return;
    }
    case "import litellm":
    case "import bifrost": {
      const { importConfig } = await import("@model-gateway/cli/import-config");
      return print(importConfig(command, place.workingDirectory));
    }
    case "catalogue update": {
      const { updateCatalogue } = await import("./commands/update-catalogue.js");
      return print(await updateCatalogue(command, place));
    }
    case "try":
    case "status":
    case "connect":
    case "link":
    case "models":
    case "keys create":
    case "keys list":
    case "keys rotate":
    case "keys revoke":
    case "batch run":
    case "reembed":
    case "logs": {
      const { runRemote } = await import("@model-gateway/cli/run-remote");
      const { openTerminal } = await import("./process/open-terminal.js");
      process.exitCode = await runRemote(command, { place, terminal: openTerminal() });
      return;
    }
    case "help": {
      const { helpText } = await import("@model-gateway/cli/help");
      return print(`${helpText(command.of)}\n`);
    }
    case "version":
      return print(`${version()}\n`);
  }
}

function print(text: string): void {
  process.stdout.write(text);
}

/** The file is beside `src` as well as beside `dist`. */
function version(): string {
  return String(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version);
}
