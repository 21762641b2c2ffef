import { GatewayError } from "@model-gateway/domain/errors";
import type { Target } from "@model-gateway/domain/model";
import type { Webhook, WebhookEvent } from "@model-gateway/domain/webhook";
import type { ReportedState } from "@model-gateway/scheduling/target-state";
import { expect, test } from "vitest";
import { TargetEvents } from "./target-events.js";

const target: Target = { upstream: "openai", model: "small", weight: 1, tier: 1, capacity: {} };
const webhook: Webhook = {
  url: "https://hooks.example/",
  secret: Buffer.alloc(32),
  events: ["target"],
  budgetShares: [1],
};

test("an outage is one event at its start and one at its end, whatever the number of probes", () => {
  const sent: WebhookEvent[] = [];
  const events = new TargetEvents({
    sender: { webhooks: [webhook, { ...webhook, events: ["budget"] }], bodyOf: JSON.stringify },
    deliveries: {
      send: async (deliveries) => {
        for (const { messageId, body } of deliveries) {
          expect(messageId).toMatch(/^msg_[0-9a-f]{24}$/);
          sent.push(JSON.parse(body));
        }
      },
    },
    worker: 3,
    now: () => Date.parse("2036-11-15T12:00:00Z"),
  });
  let previous: ReportedState = "healthy";
  const change = (state: ReportedState) => {
    const failure =
      state === "healthy" ? undefined : new GatewayError("upstream_error", "The upstream failed.");
    events.publish({ target, previous, state, failure, pauseMs: 1.4, unhealthyMs: 0 });
    previous = state;
  };

  for (const state of ["open", "half-open", "open", "half-open", "open", "half-open", "healthy"] as const)
    change(state);
  change("half-open");
  change("failing");

  expect(sent.map(({ data }) => "state" in data && [data.previous_state, data.state])).toEqual([
    ["healthy", "open"],
    ["open", "healthy"],
    ["healthy", "failing"],
  ]);
  expect(sent[0]).toEqual({
    type: "target.state_changed",
    timestamp: "2036-11-15T12:00:00.000Z",
    data: {
      upstream: "openai",
      model: "small",
      state: "open",
      previous_state: "healthy",
      error_code: "upstream_error",
      error_message: "The upstream failed.",
      pause_ms: 1,
      unhealthy_ms: 0,
      worker: 3,
    },
  });
});
