import { GatewayError } from "@model-gateway/domain/errors";
import { FakeClock } from "@model-gateway/runtime/test/clocks";
import { expect, test } from "vitest";
import { TestCall } from "../../test/call.js";
import { providerTools } from "../../test/tools.js";
import { type IssuedToken, TokenCredential } from "./token-credential.js";

const request = { method: "POST", url: new URL("https://upstream.example"), headers: {}, body: "{}" };
const minute = 60_000;

/** A one-hour token whose issuer numbers its tokens, and waits for `give` if asked to. */
function numberedToken() {
  const clock = new FakeClock();
  const issuer = { issued: 0, isFailing: false, gate: Promise.resolve() };
  const token = new TokenCredential({
    ...providerTools(),
    source: "a test",
    clock,
    issue: async (): Promise<IssuedToken> => {
      issuer.issued += 1;
      await issuer.gate;
      if (issuer.isFailing) throw new Error("The issuer is down.");
      return { token: `t${issuer.issued}`, lifetimeMs: 60 * minute };
    },
  });
  return { clock, issuer, token };
}

function headers(token: TokenCredential, call = new TestCall()) {
  return token.authenticate(request, call);
}

test("requests that come together share one token, and later ones get it at once", async () => {
  const { token, issuer } = numberedToken();

  const first = await Promise.all([headers(token), headers(token), headers(token)]);

  expect(first).toEqual(Array(3).fill(["authorization", "Bearer t1"]));
  expect(headers(token)).toEqual(["authorization", "Bearer t1"]);
  expect(issuer.issued).toBe(1);
});

test("a token is renewed in the background before it expires", async () => {
  const { token, issuer, clock } = numberedToken();
  await headers(token);
  clock.advance(56 * minute);

  const before = headers(token);
  await issuer.gate;

  expect(before).toEqual(["authorization", "Bearer t1"]);
  await expect.poll(() => headers(token)).toEqual(["authorization", "Bearer t2"]);
  expect(issuer.issued).toBe(2);
});

test("while the issuer is down, a token is used until it expires, and the issuer is not asked each time", async () => {
  const { token, issuer, clock } = numberedToken();
  await headers(token);
  issuer.isFailing = true;
  clock.advance(56 * minute);

  for (let count = 0; count < 10; count += 1) {
    expect(headers(token)).toEqual(["authorization", "Bearer t1"]);
    await new Promise(setImmediate);
  }

  expect(issuer.issued).toBe(2);
  clock.advance(5 * minute);
  await expect(headers(token)).rejects.toMatchObject({ code: "upstream_auth_error", nothingBilled: true });
});

test("a refused token is given up, and only for status 401", async () => {
  const { token } = numberedToken();
  const first = await headers(token);
  const refusal = (upstreamStatus: number) =>
    new GatewayError("upstream_auth_error", "Refused.", { upstreamStatus });

  expect(token.renew(refusal(403), first)).toBe(false);
  expect(headers(token)).toEqual(["authorization", "Bearer t1"]);
  expect(token.renew(refusal(401), first)).toBe(true);
  expect(await headers(token)).toEqual(["authorization", "Bearer t2"]);
});

test("many requests with the same refused token cause one renewal", async () => {
  const { token, issuer } = numberedToken();
  const first = await headers(token);
  const refusal = new GatewayError("upstream_auth_error", "Refused.", { upstreamStatus: 401 });

  for (let count = 0; count < 20; count += 1) {
    expect(token.renew(refusal, first)).toBe(true);
    expect(await headers(token)).toEqual(["authorization", "Bearer t2"]);
  }

  expect(issuer.issued).toBe(2);
});

test("its state says where it is from, when it ends and why a renewal has failed", async () => {
  const { token, issuer, clock } = numberedToken();
  const now = Date.parse("2026-11-16T12:00:00Z");
  const source = "a test";
  const idle = { source, status: "idle", expiresAt: null, renewedAt: null, error: null };
  const valid = { source, status: "valid", expiresAt: now + 60 * minute, renewedAt: now, error: null };

  expect(token.state()).toEqual(idle);
  await headers(token);
  expect(token.state()).toEqual(valid);

  issuer.isFailing = true;
  clock.advance(56 * minute);
  expect(headers(token)).toEqual(["authorization", "Bearer t1"]);
  const error = "The issuer is down.";
  const failing = { ...valid, status: "failing", expiresAt: now + 4 * minute, error };
  await expect.poll(() => token.state()).toEqual(failing);

  clock.advance(5 * minute);
  expect(token.state()).toEqual({ ...idle, status: "missing", error });
});

test("an issuer that is down is not called for each of the requests that fail", async () => {
  const { token, issuer, clock } = numberedToken();
  issuer.isFailing = true;
  const fail = () => expect(headers(token)).rejects.toMatchObject({ code: "upstream_auth_error" });

  for (let count = 0; count < 10; count += 1) await fail();
  expect(issuer.issued).toBe(1);
  clock.advance(5000);
  issuer.isFailing = false;

  expect(await headers(token)).toEqual(["authorization", "Bearer t2"]);
});

test("a caller that leaves does not wait for the issuer", async () => {
  const { token, issuer } = numberedToken();
  issuer.gate = new Promise(() => undefined);
  const controller = new AbortController();

  const waiting = headers(token, new TestCall({ signal: controller.signal }));
  controller.abort(new Error("left"));

  await expect(waiting).rejects.toThrow("left");
});
