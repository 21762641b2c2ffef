import { GatewayError } from "@model-gateway/domain/errors";
import { expect, test } from "vitest";
import { isNothingBilled, withUnknownOutcome } from "./call-upstream.js";

const { signal } = new AbortController();

const committed = (failure: GatewayError) => failure.with({ isCommitted: true });

test("no failure after a job began means that nothing was made", () => {
  const refused = new GatewayError("rate_limit_exceeded", "Slow down.", { nothingBilled: true });
  const moderated = new GatewayError("moderation_blocked", "No.");

  expect([refused, moderated].map(isNothingBilled)).toEqual([true, true]);
  expect([committed(refused), committed(moderated)].map(isNothingBilled)).toEqual([false, false]);
});

test("a job whose state was lost says that its outcome is unknown; one that was refused does not", () => {
  const lost = committed(new GatewayError("rate_limit_exceeded", "Slow down.", { nothingBilled: true }));
  const moderated = committed(new GatewayError("moderation_blocked", "No."));

  expect(withUnknownOutcome(lost, signal)).toMatchObject({
    message: "Slow down. Whether the images were created is not known.",
    headers: { "x-should-retry": "false" },
  });
  expect(withUnknownOutcome(moderated, signal)).toBe(moderated);
});
