import type { TestGateway } from "./test-gateway.js";

/**
 * The log lines that report an error. One is left out: on a busy machine, the gateway may not get key changes from its
 * database within two seconds. It goes on with the known keys, and retries.
 */
export function errorsIn({ logLines }: Pick<TestGateway, "logLines">): { code?: string; message: string }[] {
  return logLines
    .map((line) => JSON.parse(line))
    .filter(({ level, msg }) => /^(error|fatal)$/.test(level) && !msg.startsWith("Changes of keys"))
    .map(({ code, msg, err }) => ({ code, message: `${msg} ${err?.message ?? ""}` }));
}
