import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface IssuerRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The reply of an issuer. An object is sent as JSON. */
export interface IssuerReply {
  readonly status?: number;
  readonly body: unknown;
}

export interface FakeIssuer {
  readonly origin: string;
  readonly requests: IssuerRequest[];
  /** While it is down, every request gets a 503 whose text quotes the request. */
  isDown: boolean;
  close(): void;
}

/** An HTTP server that issues credentials. Undefined is a refusal that quotes the request, as careless ones do. */
export async function startFakeIssuer(
  answer: (request: IssuerRequest) => IssuerReply | undefined,
): Promise<FakeIssuer> {
  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString("utf8");
    const { method = "", headers } = request;
    const received = { method, url: new URL(request.url ?? "", issuer.origin), headers, text };
    issuer.requests.push(received);
    const quoted = { error: "refused", error_description: `${text} ${JSON.stringify(headers)}` };
    const { status = 200, body } = issuer.isDown
      ? { status: 503, body: quoted }
      : (answer(received) ?? { status: 401, body: quoted });
    response.writeHead(status);
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer: FakeIssuer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    isDown: false,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return issuer;
}

/** Whether a form has exactly these fields. */
export function isForm({ headers, text }: IssuerRequest, fields: Readonly<Record<string, string>>): boolean {
  const form = [...new URLSearchParams(text)];
  return (
    headers["content-type"] === "application/x-www-form-urlencoded" &&
    form.length === Object.keys(fields).length &&
    form.every(([name, value]) => fields[name] === value)
  );
}
