import { type Agent, type IncomingHttpHeaders, request } from "node:http";

export interface FreshResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the contract tests hold every body against the spec.
  readonly body: () => any;
}

export interface FreshRequest {
  readonly key: string;
  /** Sent as JSON; without it the request is a GET. */
  readonly body?: object;
  readonly method?: "DELETE" | "PATCH" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Keeps connections. Without it each request has its own, which any worker may get. */
  readonly agent?: Agent;
}

/** Sends a request, over a new connection unless there is an agent. */
export function sendFresh(url: string, options: FreshRequest): Promise<FreshResponse> {
  const { key, body, headers, signal } = options;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent: options.agent ?? false,
      signal,
      method: options.method ?? (body === undefined ? "GET" : "POST"),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: () => JSON.parse(text),
        }),
      );
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Sends as many at the same time. */
export function sendMany(count: number, send: () => Promise<FreshResponse>): Promise<FreshResponse[]> {
  return Promise.all(Array.from({ length: count }, send));
}
