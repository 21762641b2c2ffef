/**
 * The names of errors that are explained by their message alone. By name: most commands never load the classes.
 */
const explainedErrors: ReadonlySet<string> = new Set([
  "ConfigError",
  "UsageError",
  "ImportError",
  "CatalogueError",
  "InitError",
  "CommandError",
]);

/** The text for standard error about a failure: a sentence if an operator can act on it, else the stack. */
export function explainFailure(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  const isExpected = "code" in failure || explainedErrors.has(failure.name);
  return isExpected ? explain(failure) : (failure.stack ?? failure.message);
}

function explain(failure: Error & { readonly code?: unknown }): string {
  const advice = adviceFor(failure.code, "port" in failure ? Number(failure.port) : undefined);
  return advice === undefined ? failure.message : `${advice} (${failure.message})`;
}

function adviceFor(code: unknown, port: number | undefined): string | undefined {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "The disk is full, so the gateway cannot create the files that it needs. Free some space, then start it again.";
    case "EADDRINUSE":
      return `Port ${port} is in use. Stop the program that listens there, or choose another port, such as --port ${nextPort(port)} or PORT=${nextPort(port)}.`;
    case "EACCES":
      return port === undefined
        ? undefined
        : `Port ${port} needs special rights. Choose another port, such as --port 8080 or PORT=8080.`;
    case "EADDRNOTAVAIL":
      return "The host is not an address of this machine. Set --host or HOST to 127.0.0.1, or to 0.0.0.0 for all addresses.";
    default:
      return undefined;
  }
}

function nextPort(port = 8080): number {
  return port < 65_535 ? port + 1 : 8080;
}
