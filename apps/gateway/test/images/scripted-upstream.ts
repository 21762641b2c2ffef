import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tinyPng } from "../fake-upstream/images.js";

export interface ScriptedUpstream {
  readonly baseUrl: string;
  readonly calls: () => number;
  close(): Promise<void>;
}

/** What an upstream does with its next call. */
export type Act = (response: ServerResponse) => void;

/** An upstream that does what it is told, call by call; the last act goes on for ever. */
export async function startScriptedUpstream(...acts: readonly [Act, ...Act[]]): Promise<ScriptedUpstream> {
  let calls = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => {
      const act = acts[Math.min(calls, acts.length - 1)];
      calls += 1;
      act?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls: () => calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const succeed: Act = (response) =>
  answer(response, { created: 1, data: [{ b64_json: tinyPng.toString("base64") }] });
export const stall: Act = () => undefined;
export const cut: Act = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "9999" });
  response.write('{"created":1,', () => response.destroy());
};
export const fail =
  (status: number): Act =>
  (response) =>
    response.writeHead(status, { "retry-after": "1" }).end("{}");

export function answer(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
