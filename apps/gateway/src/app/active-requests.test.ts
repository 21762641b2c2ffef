import { expect, test } from "vitest";
import { ActiveRequests } from "./active-requests.js";

const newRequest = (id: number) => ({ id, place: { index: -1, turn: 0 } });
const idsOf = (requests: readonly { readonly id: number }[]) => requests.map(({ id }) => id);

test("the request that was worked on last comes first", () => {
  const [one, two, three] = [newRequest(1), newRequest(2), newRequest(3)];
  const active = new ActiveRequests<ReturnType<typeof newRequest>>();
  for (const request of [one, two, three]) active.begin(request);

  active.note(one);
  active.note(one);
  active.end(three);

  expect([active.size, idsOf(active.last(5))]).toEqual([2, [1, 2]]);
});

test("requests end in any order, and a second end changes nothing", () => {
  const requests = [1, 2, 3, 4, 5].map(newRequest);
  const active = new ActiveRequests<ReturnType<typeof newRequest>>();
  for (const request of requests) active.begin(request);

  const left = [2, 0, 4, 3, 1].map((index) => {
    const request = requests[index];
    for (let end = 0; end < 2; end += 1) if (request !== undefined) active.end(request);
    return idsOf(active.last(5));
  });

  expect(left).toEqual([[5, 4, 2, 1], [5, 4, 2], [4, 2], [2], []]);
});

test("a request that has ended may come again", () => {
  const request = newRequest(1);
  const active = new ActiveRequests();
  active.begin(request);
  active.end(request);

  const before = active.last(1);
  active.begin(request);

  expect([before, active.last(1)]).toEqual([[], [request]]);
});
