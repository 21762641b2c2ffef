import { GatewayError } from "@model-gateway/domain/errors";
import { FakeClock } from "@model-gateway/runtime/test/clocks";
import { expect, test } from "vitest";
import { TestCall } from "../../test/call.js";
import { ExpiringToken, type IssuedToken } from "./expiring-token.js";

const request = { method: "POST", url: new URL("https://upstream.example"), headers: {}, body: "{}" };
const minute = 60_000;

/** A one-hour token whose issuer numbers its tokens, and waits for `give` if asked to. */
function numberedToken() {
  const clock = new FakeClock();
  const issuer = { issued: 0, isFailing: false, gate: Promise.resolve() };
  const token = new ExpiringToken({
    secrets: { learn: () => undefined },
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

function headers(token: ExpiringToken, call = new TestCall()) {
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
  await headers(token);
  const refusal = (upstreamStatus: number) =>
    new GatewayError("upstream_auth_error", "Refused.", { upstreamStatus });

  expect(token.renew(refusal(403))).toBe(false);
  expect(headers(token)).toEqual(["authorization", "Bearer t1"]);
  expect(token.renew(refusal(401))).toBe(true);
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
