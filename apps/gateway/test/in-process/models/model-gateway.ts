import type { Schemas } from "@model-gateway/domain/operations";
import type { InProcessGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";

const admin = { headers: { authorization: `Bearer ${testAdminKey}` } };

/** The body of a response, in the shape that the test expects. */
// biome-ignore lint/suspicious/noExplicitAny: a test compares it with the expected value.
export async function bodyOf(response: Response): Promise<any> {
  return response.json();
}

/** Headers that send a request with a new key. */
export async function withKey(
  gateway: InProcessGateway,
  key: Schemas["CreateKeyRequest"],
): Promise<{ readonly headers: { readonly authorization: string } }> {
  const { value } = await bodyOf(await gateway.sendJson("/admin/v1/keys", key, admin));
  return { headers: { authorization: `Bearer ${value}` } };
}

export async function readAdmin(gateway: InProcessGateway, path: string): ReturnType<typeof bodyOf> {
  return bodyOf(await gateway.send(path, admin));
}

/** The ledger rows, the newest first. Rows reach the database a moment after their response. */
export async function readRows(gateway: InProcessGateway): Promise<Schemas["RequestRecord"][]> {
  return (await readAdmin(gateway, "/admin/v1/requests?limit=20")).data;
}

export async function readMetrics(gateway: InProcessGateway): Promise<string> {
  return (await gateway.send("/metrics", admin)).text();
}
