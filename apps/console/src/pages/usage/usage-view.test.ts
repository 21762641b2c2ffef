import { expect, test } from "vitest";
import { questionOf, readView, rowLink, rowRequestsLink } from "./usage-view.js";

const nowMs = Date.UTC(2026, 10, 17, 14, 25);
const november = { from: Date.UTC(2026, 10) / 1000, to: Date.UTC(2026, 11) / 1000 };
const viewOf = (address: string) => readView(new URLSearchParams(address), nowMs);

test("every filter of the address goes to the operation", () => {
  const view = viewOf(
    "time=month&by=key&measure=cost_usd&owner=search&key=key_1&model=m&upstream=u&operation=createImage",
  );

  expect(questionOf(view)).toEqual({
    group_by: ["key"],
    ...november,
    owner: "search",
    key: "key_1",
    model: "m",
    upstream: "u",
    operation: "createImage",
  });
  expect(view.measure).toBe("cost_usd");
});

test("without an address it is the last seven days by model, and unknown names count as none", () => {
  const usual = { group_by: ["model"], from: Date.UTC(2026, 10, 11) / 1000 };

  expect(questionOf(viewOf(""))).toEqual(usual);
  expect(questionOf(viewOf("time=ever&by=constructor&measure=toString&owner=%20"))).toEqual(usual);
});

test("a team leads to its keys, a key to its models, and a model to the requests", () => {
  const teams = viewOf("time=month&by=owner&measure=cost_usd");

  const keys = rowLink(teams, { value: "search & co" }) ?? "";
  expect(keys).toBe("#/usage?time=month&by=key&measure=cost_usd&owner=search+%26+co");
  const models = rowLink(viewOf(keys.split("?")[1] ?? ""), { value: "key_1" }) ?? "";
  expect(models).toBe("#/usage?time=month&by=model&measure=cost_usd&owner=search+%26+co&key=key_1");
  const requests = rowLink(viewOf(models.split("?")[1] ?? ""), { value: "gte-small" });
  expect(requests).toBe("#/requests?time=month&key=key_1&model=gte-small");
});

test("an upstream leads to its owners, and a model of one owner to the owner's keys", () => {
  expect(rowLink(viewOf("by=upstream"), { value: "up" })).toBe(
    "#/usage?time=7d&by=owner&measure=requests&upstream=up",
  );
  expect(rowLink(viewOf("by=model&owner=a"), { value: "m" })).toBe(
    "#/usage?time=7d&by=key&measure=requests&owner=a&model=m",
  );
});

test("the requests of a row are linked", () => {
  expect(rowRequestsLink(viewOf("by=model"), { value: "m" }, { failed: "true" })).toBe(
    "#/requests?time=7d&model=m&failed=true",
  );
  expect(rowRequestsLink(viewOf("by=key&owner=a"), { value: "key_1" })).toBe("#/requests?time=7d&key=key_1");
  expect(rowRequestsLink(viewOf("by=model&owner=a"), { value: "m" })).toBe(
    "#/requests?time=7d&owner=a&model=m",
  );
  expect(rowRequestsLink(viewOf("by=owner"), { value: "a" })).toBe("#/requests?time=7d&owner=a");
});

test("a row without a name leads to its requests if it is one of requests without a valid model", () => {
  const none = { value: null };

  expect(rowLink(viewOf("by=model&owner=a"), none)).toBe("#/requests?time=7d&owner=a&has_model=false");
  expect(rowRequestsLink(viewOf("by=model"), none, { failed: "true" })).toBe(
    "#/requests?time=7d&has_model=false&failed=true",
  );
  expect(rowLink(viewOf("by=owner"), none)).toBeUndefined();
  expect(rowRequestsLink(viewOf("by=upstream"), none)).toBeUndefined();
});
