import { bearer } from "@model-gateway/providers/http/credentials/authentication";
import { UpstreamClient } from "@model-gateway/providers/http/send";
import { TestCall } from "@model-gateway/providers/test/call";
import { providerTools } from "@model-gateway/providers/test/tools";
import { createAuthority } from "@model-gateway/test-suite/certificates";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SecureUpstream, startSecureUpstream } from "../../servers/secure-upstream.js";

/** The upstream itself, and another host that its replies link to. */
let own: SecureUpstream;
let other: SecureUpstream;
let ca: string;

beforeAll(async () => {
  const authority = await createAuthority();
  ({ ca } = authority);
  const pair = await authority.issue();
  [own, other] = await Promise.all([startSecureUpstream(pair), startSecureUpstream(pair)]);
});
afterAll(() => Promise.all([own.close(), other.close()]));

async function follow(takesCredentials: boolean): Promise<string | undefined> {
  const client = new UpstreamClient(
    {
      baseUrl: `https://localhost:${own.port}/v1`,
      authentication: bearer("key"),
      readError: () => ({}),
      headers: { "x-team": "search" },
      tls: { ca },
      otherHosts: [{ host: `localhost:${other.port}`, takesCredentials }],
    },
    providerTools(),
  );
  const request = { method: "GET", path: `https://localhost:${other.port}/jobs/1`, headers: {} } as const;
  const reply = await client.send(request, new TestCall());
  await reply.read(() => undefined);
  await client.close();
  const { authorization, "x-team": team } = other.received.at(-1) ?? {};
  return [authorization, team].join(" ").trim();
}

test("a host that the provider names is called, with credentials only if it owns them", async () => {
  expect(await follow(true)).toBe("Bearer key search");
  expect(await follow(false)).toBe("");
});
