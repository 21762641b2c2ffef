import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { describeInBrowser } from "../../../docs/test/open-browser.js";
import { type BuiltGateway, startBuiltGateway } from "../../../gateway/test/gateway/built.js";
import { testAdminKey } from "../../../gateway/test/gateway/test-gateway.js";
import { ConsolePage, operatorPages } from "./console-page.js";

type ProxyBehaviour =
  | "passes"
  | "holds"
  | "cuts"
  | "answers with its own page"
  | "is overloaded"
  | "is newer"
  | "refuses streams";
/** Behaviours in which the proxy itself responds. */
const ownBehaviours: readonly ProxyBehaviour[] = [
  "holds",
  "cuts",
  "answers with its own page",
  "is overloaded",
];

const prefix = "/team/gateway";
/** A proxy that takes a prefix off the path, as many do, and that treats the admin API as it likes. */
class PrefixProxy {
  behaviour: ProxyBehaviour = "passes";
  readonly #server: Server;

  constructor(private readonly target: string) {
    this.#server = createServer((request, response) => {
      if (!request.url?.startsWith(`${prefix}/`)) return response.writeHead(404).end();
      const path = request.url.slice(prefix.length);
      if (ownBehaviours.includes(this.behaviour) && (path.startsWith("/admin/") || path === "/healthz")) {
        if (this.behaviour === "holds") return;
        if (this.behaviour === "cuts") return request.socket.destroy();
        if (this.behaviour === "answers with its own page")
          return response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>");
        if (this.behaviour === "is overloaded") {
          const error = {
            message: "The database is unavailable.",
            type: "e",
            param: null,
            code: "storage_unavailable",
          };
          return response
            .writeHead(503, { "content-type": "application/json", "x-request-id": "req_busy" })
            .end(JSON.stringify({ error }));
        }
      }
      if (this.behaviour === "refuses streams" && path === "/admin/v1/events")
        return response
          .writeHead(429, { "content-type": "application/json" })
          .end(JSON.stringify({ error: {} }));
      const { method } = request;
      const isNewer =
        this.behaviour === "is newer" && path.startsWith("/admin/") && path !== "/admin/v1/events";
      const headers = isNewer ? { ...request.headers, "accept-encoding": "identity" } : request.headers;
      const sent = forward(`${this.target}${path}`, { method, headers }, (reply) => {
        if (isNewer) return void text(reply).then((body) => answerNewer(response, reply, body));
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      sent.on("error", () => response.destroy());
      // When the browser leaves a stream, the gateway's side is closed as well.
      response.on("close", () => {
        if (!response.writableFinished) sent.destroy();
      });
      request.pipe(sent);
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${prefix}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** The response as a later version would send it: with more fields in every object, and with another state. */
function answerNewer(response: ServerResponse, { statusCode = 502, headers }: IncomingMessage, body: string) {
  const { "content-length": _length, ...kept } = headers;
  const added = JSON.parse(body, (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const isTarget = "state" in value && "in_flight" in value;
    return { ...value, ...(isTarget && { state: "resting" }), phase_of_the_moon: { phases: [1, null] } };
  });
  response.writeHead(statusCode, kept).end(JSON.stringify(added));
}

let gateway: BuiltGateway;
let proxy: PrefixProxy;
let site: ConsolePage;

describeInBrowser("the console behind a proxy with a path prefix", () => {
  beforeAll(async () => {
    gateway = await startBuiltGateway(`
upstreams: { gone: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" } }
models:
  any: { type: embedding, targets: [{ upstream: gone, model: any }] }
`);
    proxy = new PrefixProxy(gateway.url);
    const url = await proxy.listen();
    site = await ConsolePage.open(`${url}/console/`);
  });
  beforeEach(() => {
    proxy.behaviour = "passes";
  });
  afterAll(async () => {
    await site.close();
    proxy.close();
    await gateway.stop();
  });

  test("every file and every call stays below the prefix", async () => {
    await site.signIn(testAdminKey, "#/models?search=any");
    await site.loaded("Models");

    const paths = site.addresses.map((address) => new URL(address)).filter(({ host }) => host !== "");
    expect(paths.filter(({ pathname }) => !pathname.startsWith(`${prefix}/`))).toEqual([]);
    await site.page.getByRole("link", { name: "Use it in code any" }).click();
    await expect
      .poll(() => site.page.locator("dialog pre").textContent())
      .toContain(`${prefix}/v1/embeddings`);
  });

  test("an unreachable gateway is shown in a bar, and the page goes on by itself when it is back", async () => {
    await site.signIn(testAdminKey, "#/keys");
    await site.loaded("Keys");
    proxy.behaviour = "cuts";

    await site.page.getByRole("link", { name: "Configuration", exact: true }).click();
    await site.page.getByText("The gateway does not answer.", { exact: true }).waitFor();
    await site.page.getByText(/Trying again/).waitFor();
    proxy.behaviour = "passes";

    await site.page.locator("pre").waitFor();
    await expect.poll(() => site.page.locator(".unreachable").count()).toBe(0);
  });

  test("a refusal is shown with its code and id, and can be tried again", async () => {
    await site.signIn(testAdminKey, "#/keys");
    await site.loaded("Keys");
    proxy.behaviour = "is overloaded";

    await site.page.getByRole("link", { name: "Configuration", exact: true }).click();
    const fault = site.page.getByRole("alert");
    await expect.poll(() => fault.textContent()).toContain("The database is unavailable.");
    await expect.poll(() => fault.textContent()).toContain("storage_unavailable");
    await expect.poll(() => fault.textContent()).toContain("req_busy");
    proxy.behaviour = "passes";
    await fault.getByRole("button", { name: "Try again" }).click();

    await site.page.locator("pre").waitFor();
  });

  test("a slow gateway is shown as loading, and the menu stays usable", async () => {
    await site.signIn(testAdminKey, "#/keys");
    await site.loaded("Keys");
    proxy.behaviour = "holds";

    await site.page.getByRole("link", { name: "Configuration", exact: true }).click();
    await site.page.getByRole("status").getByText("Loading").waitFor({ state: "attached" });
    proxy.behaviour = "passes";
    await site.choose("Models");
  });

  test("responses of a newer gateway, with fields and states that this page does not know, are shown", async () => {
    proxy.behaviour = "is newer";
    await site.signIn(testAdminKey);

    for (const name of operatorPages) {
      await site.choose(name);
      expect([name, await site.page.locator(".fault").count()]).toEqual([name, 0]);
    }
    await site.choose("Upstreams");
    await site.page.getByText("resting").first().waitFor();
    expect(site.complaints(/^(404|503) for /)).toEqual([]);
  });

  test("while the stream of events is down, the page asks at intervals", async () => {
    proxy.behaviour = "refuses streams";
    await site.signIn(testAdminKey, "#/upstreams");
    await site.page.getByText(/Refreshed every 5 seconds\./).waitFor();

    const asked = () => site.addresses.filter((address) => address.endsWith("/admin/v1/upstreams")).length;
    const before = asked();
    await expect.poll(asked).toBeGreaterThan(before);
    proxy.behaviour = "passes";

    await site.page.getByText(/Updated live\./).waitFor();
  });

  test("a proxy's page is not taken for a gateway response", async () => {
    await site.signIn(testAdminKey, "#/keys");
    await site.loaded("Keys");
    proxy.behaviour = "answers with its own page";

    await site.page.getByRole("link", { name: "Configuration", exact: true }).click();

    await expect.poll(() => site.page.getByRole("alert").textContent()).toContain("Unexpected response");
    expect(await site.page.getByRole("button", { name: "Sign out" }).isVisible()).toBe(true);
  });
});
