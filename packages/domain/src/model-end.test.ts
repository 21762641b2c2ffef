import { expect, test } from "vitest";
import { announceEnd, describeEnd } from "./model-end.js";

const end = { shutdownOn: "2026-12-01", deprecatedOn: "2026-06-02", successor: "next" };
const at = (day: string) => Date.parse(day);

test("the headers have the formats of RFC 9745 and RFC 8594, from 60 days before the end", () => {
  expect(announceEnd(end)).toEqual({
    ...end,
    noticeFromMs: at("2026-10-02"),
    headers: { deprecation: "@1780358400", sunset: "Tue, 01 Dec 2026 00:00:00 GMT" },
  });
});

test("without the day of the announcement, the notice begins the deprecation", () => {
  const { headers, noticeFromMs } = announceEnd({ shutdownOn: "2026-12-01" });

  expect(headers.deprecation).toBe(`@${noticeFromMs / 1000}`);
});

test.each([
  ["2026-10-01", undefined],
  ["2026-10-02", "shuts down on 2026-12-01, in 60 days; the vendor recommends next"],
  ["2026-11-30", "shuts down on 2026-12-01, in 1 day; the vendor recommends next"],
  ["2026-12-01", "shut down on 2026-12-01; the vendor recommends next"],
])("on %s it is described as %j", (day, expected) => {
  expect(describeEnd(end, at(day))).toBe(expected);
});
