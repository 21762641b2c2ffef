import type { TestGateway } from "./test-gateway.js";

/**
 * The lines of the log that report an error. One is left out: on a busy machine, the gateway may not get the changes of
 * keys from its database within two seconds. It goes on with the keys that it knows, and looks again.
 */
export function errorsIn({ logLines }: Pick<TestGateway, "logLines">): { code?: string; message: string }[] {
  return logLines
    .map((line) => JSON.parse(line))
    .filter(({ level, msg }) => /^(error|fatal)$/.test(level) && !msg.startsWith("Changes of keys"))
    .map(({ code, msg, err }) => ({ code, message: `${msg} ${err?.message ?? ""}` }));
}
