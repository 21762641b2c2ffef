import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../gateway/in-process.js";

const models = `
upstreams: { gone: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" } }
models: { any: { type: image, targets: [{ upstream: gone, model: any }] } }
`;
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** As it comes over the wire: `fetch` would follow redirects and decode bodies. */
function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.on("error", reject).end();
  });
}

const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

describe("a gateway with a console", () => {
  let gateway: InProcessGateway;
  beforeAll(async () => {
    gateway = await startGateway(models);
  });
  afterAll(() => gateway.stop());

  test.each(["br", "identity"])("serves a docs page as Markdown, encoded as %s", async (encoding) => {
    const { status, headers } = await get(`${gateway.url}/docs/guides/deploy.md`, {
      "accept-encoding": encoding,
    });

    expect(status).toBe(200);
    expect(String(headers["content-type"]).toLowerCase()).toBe("text/markdown; charset=utf-8");
    expect(headers["content-encoding"]).toBe(encoding === "br" ? "br" : undefined);
    expect(headers["x-content-type-options"]).toBe("nosniff");
  });

  test("serves the page with its policy, and makes the browser revalidate it each time", async () => {
    const { status, headers, body } = await get(`${gateway.url}/console/`);

    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-cache",
    });
    expect(body.toString()).toContain("<title>Model Gateway</title>");
  });

  test("serves files whose names hold their hash for a year, as the build compressed them", async () => {
    const page = await get(`${gateway.url}/console/`);
    const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(page.body.toString())?.[1] ?? "";
    const url = `${gateway.url}/console/${script}`;

    const [plain, gzip, brotli] = await Promise.all([
      get(url),
      get(url, { "accept-encoding": "gzip" }),
      get(url, { "accept-encoding": "gzip, deflate, br" }),
    ]);

    for (const { status, headers } of [plain, gzip, brotli]) {
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": "public, max-age=31536000, immutable",
        vary: "accept-encoding",
      });
    }
    expect([plain, gzip, brotli].map(({ headers }) => headers["content-encoding"])).toEqual([
      undefined,
      "gzip",
      "br",
    ]);
    expect(gzip.body.length).toBeLessThan(plain.body.length / 2);
    expect(brotli.body.length).toBeLessThan(gzip.body.length);
  });

  test("leads to the folder by a relative address, which a prefix of a proxy does not break", async () => {
    const [site, docs, root] = await Promise.all([
      get(`${gateway.url}/console`),
      get(`${gateway.url}/docs`),
      get(`${gateway.url}/`, browser),
    ]);

    expect([site.status, site.headers.location]).toEqual([308, "console/"]);
    expect([docs.status, docs.headers.location]).toEqual([308, "docs/"]);
    expect([root.status, root.headers.location]).toEqual([302, "console/"]);
  });

  test.each([{}, { accept: "*/*" }, { accept: "application/json" }])(
    "a program that asks for / gets a list of the paths: %o",
    async (headers) => {
      const { status, body } = await get(`${gateway.url}/`, headers);

      expect(status).toBe(404);
      expect(JSON.parse(body.toString())).toMatchObject({ error: { code: "unknown_url" } });
    },
  );

  test.each([
    "/console/nothing",
    "/console/assets/",
    "/console/%2e%2e/package.json",
    "/console/../package.json",
  ])("%s is a gateway error", async (path) => {
    const { status, headers, body } = await get(`${gateway.url}${path}`);

    expect(status).toBe(404);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(JSON.parse(body.toString())).toMatchObject({ error: { code: "unknown_url" } });
  });

  test("the docs have the same policy except for Redoc, and are compressed", async () => {
    const [page, redoc] = await Promise.all([
      get(`${gateway.url}/docs/guides/deploy/`, { "accept-encoding": "br" }),
      get(`${gateway.url}/docs/reference/redoc/`),
    ]);

    expect(page.headers).toMatchObject({
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "cache-control": "public, max-age=300",
      "content-encoding": "br",
    });
    expect(redoc.headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
        "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'",
    );
    const script = /src="\.\.\/\.\.\/(assets\/redoc-[^"]+\.js)"/.exec(redoc.body.toString())?.[1];
    const loaded = await get(`${gateway.url}/docs/${script}`, { "accept-encoding": "br" });
    expect(loaded.headers).toMatchObject({
      "content-encoding": "br",
      "cache-control": "public, max-age=31536000, immutable",
    });
    expect(loaded.body.length).toBeLessThan(700_000);
  });

  test.each([
    ["/docs/nothing", "./"],
    ["/docs/guides/nothing/", "../../"],
    ["/docs/reference/redoc/nothing?a=/b", "../../"],
  ])("a browser at %s gets a page with the status 404, whose links begin with %s", async (path, root) => {
    const { status, headers, body } = await get(`${gateway.url}${path}`, browser);

    expect(status).toBe(404);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "no-cache",
      vary: "accept",
    });
    expect(body.toString()).toContain(`<body data-root="${root}"`);
    expect(body.toString()).toContain(`href="${root}guides/quick-start/"`);
    expect(body.toString()).not.toContain('"/docs/');
  });

  test.each([
    ["a program", "/docs/nothing", {}],
    ["a browser that is lost too deep", `/docs${"/a".repeat(40)}`, browser],
  ])("%s gets a gateway error at an address that the docs do not have", async (_, path, accepted) => {
    const { status, body } = await get(`${gateway.url}${path}`, accepted);

    expect(status).toBe(404);
    expect(JSON.parse(body.toString())).toMatchObject({ error: { code: "unknown_url" } });
  });

  test("a page without the slash at its end leads to the page", async () => {
    const { status, headers } = await get(`${gateway.url}/docs/guides/deploy`);

    expect([status, headers.location]).toEqual([308, "deploy/"]);
  });
});

test("`console: false` turns the console off, and a browser is sent to the reference", async () => {
  const gateway = await startGateway(`console: false\n${models}`);
  try {
    const [site, root] = await Promise.all([
      get(`${gateway.url}/console/`, browser),
      get(`${gateway.url}/`, browser),
    ]);

    expect(site.status).toBe(404);
    expect([root.status, root.headers.location]).toEqual([302, "docs/"]);
  } finally {
    await gateway.stop();
  }
});

test("without a console, no page of the docs links to one", async () => {
  const gateway = await startGateway(`console: false\n${models}`);
  const read = async (path: string) =>
    (await get(`${gateway.url}${path}`, { ...browser, "accept-encoding": "br, gzip" })).body.toString();
  try {
    const pages = ["/docs/", "/docs/guides/deploy/", "/docs/reference/redoc/", "/docs/guides/lost/deep/"];

    for (const page of pages) {
      const text = await read(page);
      expect(text).toContain(">Docs</a>");
      expect(text).not.toContain(">Console</a>");
    }
    const guide = await read("/docs/guides/administration/");
    expect(guide).toContain("The console does the same on its page Keys.");
    expect(guide).not.toMatch(/href="[^"]*\.\.\/console\//);
    const twin = await read("/docs/guides/administration.md");
    expect(twin).toContain("The console does the same on its page Keys.");
    expect(twin).not.toMatch(/\]\([^)]*\.\.\/console\//);
  } finally {
    await gateway.stop();
  }
});
