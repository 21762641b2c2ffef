import type { CommandOf } from "./command-table.js";
import type { Report } from "./print/terminal.js";
import { CommandError } from "./remote/command-error.js";
import type { RemoteGateway } from "./remote/remote-gateway.js";

/** A console link with a one-time code, as the start of a gateway prints it. */
export async function createLink(_command: CommandOf<"link">, gateway: RemoteGateway): Promise<Report> {
  if (!(await gateway.servesConsole()))
    throw new CommandError(`${gateway.url} serves no console. Its configuration has console: false.`);
  const { value, expires_at } = await gateway.administer((client, options) =>
    client.createSignInCode(options),
  );
  const url = `${gateway.url}/console/#code=${value}`;
  return {
    text: `${url}\nIt signs in once, within ten minutes, in a browser on this machine.\n`,
    document: { url, expires_at },
  };
}
