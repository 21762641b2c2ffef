import { faultsOf, load, minimal } from "@model-gateway/config/test/load-text";
import { afterEach, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";

/* Names that JavaScript's objects have already, and names and texts that callers see. */

const names = Object.getOwnPropertyNames(Object.prototype);
const secret = "named-secret-0123456789";
let gateway: InProcessGateway | undefined;
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
});

const admin = { headers: { authorization: `Bearer ${testAdminKey}` } };

test("the file refuses the names of JavaScript's own objects, wherever they stand", () => {
  for (const name of names) {
    const refused = [`${JSON.stringify(name)}" cannot be used; choose another`.replace('""', '"')];
    const local = "local: { provider: local }";
    const model = (target = "local") =>
      `{ type: embedding, targets: [{ upstream: ${target}, model: gte-small }] }`;
    const texts = [
      `upstreams: { ${local}, ${name}: { provider: local } }\nmodels: { m: ${model()} }`,
      `upstreams: { ${name}: { provider: local } }\nmodels: { m: ${model(name)} }`,
      `upstreams: { ${local} }\nmodels: { ${name}: ${model()} }`,
      `upstreams: { local: { provider: local, modelFolders: { ${name}: ./x } } }\nmodels: { m: ${model()} }`,
      `upstreams: { u: { provider: openai, headers: { ${name}: x } } }\nmodels: { m: ${model("u")} }`,
      `${minimal}${name}: 1`,
    ];
    for (const text of texts) expect(faultsOf(text).join("\n")).toContain(refused[0]);
  }
});

test("a change and a trial refuse them, and requests that name one get a plain answer", async () => {
  gateway = await startGateway(minimal);
  for (const name of ["__proto__", "constructor", "toString"]) {
    const entry = { provider: "local" };
    const body = `{ "dry_run": true, "upstreams": { "${name}": ${JSON.stringify(entry)} } }`;
    const post = (path: string, text: string) =>
      gateway?.send(path, {
        method: "POST",
        body: text,
        headers: { ...admin.headers, "content-type": "application/json" },
      }) as Promise<Response>;
    const changed = await post("/admin/v1/configuration/changes", body);
    expect(await changed.json()).toMatchObject({ error: { param: `upstreams.${name}` } });
    expect(changed.status).toBe(400);
    const removed = await post("/admin/v1/configuration/changes", `{ "upstreams": { "${name}": null } }`);
    expect(await removed.json()).toMatchObject({ error: { param: `upstreams.${name}` } });
    const tried = await post(
      "/admin/v1/upstream-trials",
      `{ "name": "${name}", "upstream": { "provider": "local" } }`,
    );
    expect(await tried.json()).toMatchObject({ error: { param: "name" } });
    const folders = await post(
      "/admin/v1/upstream-trials",
      `{ "upstream": { "provider": "local", "${name}": { "a": 1 } } }`,
    );
    expect(folders.status).toBe(400);

    const embedded = await gateway.sendJson("/v1/embeddings", { model: name, input: "a" });
    expect(embedded.status).toBe(404);
    expect((await gateway.send(`/v1/models/${name}`)).status).toBe(404);
    const key = await gateway.sendJson("/admin/v1/keys", { name, owner: name, models: [name] }, admin);
    expect(key.status).toBe(200);
    const { value } = (await key.json()) as { value: string };
    const listed = await gateway.send("/v1/models", { headers: { authorization: `Bearer ${value}` } });
    expect(await listed.json()).toMatchObject({ data: [] });
    for (const path of [`/admin/v1/usage?group_by=key`, `/admin/v1/requests?model=${name}&key=${name}`])
      expect((await gateway.send(path, admin)).status).toBeLessThan(500);
  }
});

test("texts and names that callers see keep their references, and say so", async () => {
  const text = `
upstreams: { local: { provider: local } }
models:
  "m-\${NAMED_SECRET}":
    type: embedding
    description: "the \${NAMED_SECRET} and $\${THIS}"
    aliases: ["a-\${NAMED_SECRET}"]
    revision: "r-\${NAMED_SECRET}"
    targets: [{ upstream: local, model: gte-small, space: "s-\${NAMED_SECRET}" }]
`;
  const { models, warnings } = load(text, { NAMED_SECRET: secret });

  const [model] = [...models.values()];
  expect(model).toMatchObject({
    id: "m-${NAMED_SECRET}",
    description: "the ${NAMED_SECRET} and ${THIS}",
    aliases: ["a-${NAMED_SECRET}"],
  });
  expect(JSON.stringify([...models.values()])).not.toContain(secret);
  expect(warnings.filter((warning) => warning.includes("callers see"))).toHaveLength(4);
});
