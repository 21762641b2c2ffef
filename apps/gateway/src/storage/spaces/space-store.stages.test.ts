import { compareSpaces } from "@model-gateway/vector-check/spaces";
import { expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import { DatabaseSpaceStore } from "./space-store.js";

const startedAt = 1_787_150_086_123;
const vectorsAt = (...angles: number[]) =>
  angles.map((angle) => Float32Array.of(Math.cos(angle), Math.sin(angle)));
const vectors = (...angles: number[]) => ({ texts: vectorsAt(...angles), images: undefined });
const withImages = (texts: number[], images: number[]) => ({
  texts: vectorsAt(...texts),
  images: vectorsAt(...images),
});
/** The distance of a target without images. */
const near = (cosine: number) => ({ cosineMin: expect.closeTo(cosine), imageCosineMin: null });
const one = { space: "s", upstream: "one", model: "m", inputType: "" };
const other = { ...one, upstream: "other" };

describeDatabaseOfTier("checks of vector spaces", ({ database, open }) => {
  const clock = { ms: startedAt };
  const createStore = (on = database(), probesVersion = 1) =>
    new DatabaseSpaceStore(on, {
      now: () => clock.ms,
      probesVersion,
      compare: (left, right) => compareSpaces(left, right).cosineMin,
    });
  const cosines = async (store: ReturnType<typeof createStore>) => {
    const { checks } = await store.read();
    return Object.fromEntries(checks.map(({ upstream, cosineMin }) => [upstream, cosineMin]));
  };

  test("the first vectors of a space are its reference, and all others are compared with them", async () => {
    clock.ms = startedAt;
    const store = createStore();

    expect(await store.record(one, vectors(0, 1, 2))).toEqual(near(1));
    expect(await store.record(other, vectors(0, 1, 2))).toEqual(near(1));
    expect(await store.record(other, vectors(0, 1, 2.5))).toEqual(near(Math.cos(0.5)));
    expect(await store.record({ ...one, space: "another" }, vectors(5, 6, 7))).toEqual(near(1));
    expect(await store.record({ ...one, inputType: "query" }, vectors(3, 4, 5))).toEqual(near(1));

    const { accepted, checks } = await store.read();
    expect(accepted).toEqual(new Map());
    expect(checks).toContainEqual({
      space: "s",
      upstream: "other",
      model: "m",
      checkedAt: startedAt,
      ...near(Math.cos(0.5)),
    });
  });

  test("the first images of a space are their reference, whichever target has the one of texts", async () => {
    const store = createStore();
    await store.record(one, vectors(0, 1));

    expect(await store.record(other, withImages([0, 1], [2, 3]))).toEqual({
      cosineMin: expect.closeTo(1),
      imageCosineMin: expect.closeTo(1),
    });
    // The images alone have moved.
    const moved = { cosineMin: expect.closeTo(1), imageCosineMin: expect.closeTo(Math.cos(0.5)) };
    expect(await store.record(other, withImages([0, 1], [2, 3.5]))).toEqual(moved);
    expect((await store.read()).checks).toContainEqual(
      expect.objectContaining({ upstream: "other", ...moved }),
    );
    // Images of another width are as far as can be.
    const wide = [Float32Array.of(1, 0, 0), Float32Array.of(0, 1, 0)];
    expect(await store.record(other, { texts: wide, images: wide })).toEqual({
      cosineMin: 0,
      imageCosineMin: 0,
    });
    expect(await store.record(one, vectors(0, 1))).toEqual(near(1));
  });

  test("accepted images are the new reference, and a target without images leaves them", async () => {
    const store = createStore();
    await store.record(one, withImages([0, 1], [2, 3]));
    await store.record(other, withImages([0, 1], [2, 3.5]));
    const third = { ...one, upstream: "third" };
    await store.record(third, vectors(0.5, 1.5));
    const images = async () =>
      Object.fromEntries((await store.read()).checks.map((check) => [check.upstream, check.imageCosineMin]));

    await store.accept(other);
    expect(await images()).toEqual({
      one: expect.closeTo(Math.cos(0.5)),
      other: expect.closeTo(1),
      third: null,
    });

    await store.accept(third);
    expect(await images()).toEqual({
      one: expect.closeTo(Math.cos(0.5)),
      other: expect.closeTo(1),
      third: null,
    });
  });

  test("vectors of another width are as far as can be", async () => {
    const store = createStore();
    await store.record(one, vectors(0, 1));

    const wide = [Float32Array.of(1, 0, 0), Float32Array.of(0, 1, 0)];
    expect(await store.record(other, { texts: wide, images: undefined })).toEqual({
      cosineMin: 0,
      imageCosineMin: null,
    });
  });

  test("accepted vectors are the new reference, which the others are compared with at once", async () => {
    const store = createStore();
    await store.record(one, vectors(0, 1));
    await store.record(other, vectors(0.5, 1.5));

    expect(await store.accept(other)).toBe(1);
    expect(await cosines(store)).toEqual({
      one: expect.closeTo(Math.cos(0.5)),
      other: expect.closeTo(1),
    });
    expect((await store.read()).accepted).toEqual(new Map([["s", 1]]));

    expect(await store.accept(one)).toBe(2);
    expect(await cosines(store)).toEqual({
      one: expect.closeTo(1),
      other: expect.closeTo(Math.cos(0.5)),
    });
  });

  test("nothing is accepted of a target that was never checked", async () => {
    const store = createStore();
    await store.claim(one, { since: clock.ms, until: clock.ms + 1000 });

    expect(await store.accept(one)).toBeUndefined();
    expect(await store.accept(other)).toBeUndefined();
    expect(await store.read()).toEqual({ accepted: new Map(), checks: [] });
  });

  test("other texts begin a separate reference", async () => {
    await createStore().record(one, vectors(0, 1));
    const store = createStore(database(), 2);

    expect(await store.claim(one, { since: 0, until: clock.ms })).toBe("claimed");
    expect(await store.record(one, vectors(3, 4, 5))).toEqual(near(1));
  });

  test("one of all replicas checks a target, and none repeats a recent check", async () => {
    clock.ms = startedAt;
    const replica = await open();
    const stores = [createStore(), createStore(replica), createStore(replica)];
    const claimAll = async (since: number) => {
      const claims = stores.map((store) => store.claim(one, { since, until: clock.ms + 1000 }));
      return (await Promise.all(claims)).sort();
    };

    expect(await claimAll(clock.ms)).toEqual(["claimed", "leased", "leased"]);
    // The holder has died.
    clock.ms += 1000;
    expect(await claimAll(clock.ms)).toEqual(["claimed", "leased", "leased"]);
    for (const store of stores) await store.release(one);
    expect(await claimAll(clock.ms)).toEqual(["claimed", "leased", "leased"]);
    await stores[0]?.record(one, vectors(0));
    expect(await claimAll(clock.ms)).toEqual(["checked", "checked", "checked"]);
    expect(await claimAll(clock.ms + 1)).toEqual(["claimed", "leased", "leased"]);
    await replica.close();
  });

  test("a target that is not checked any more is forgotten after some months", async () => {
    clock.ms = startedAt;
    const store = createStore();
    await store.record(one, vectors(0));
    await store.record(other, vectors(0));

    clock.ms += 91 * 86_400_000;
    await store.record(other, vectors(0));

    expect(Object.keys(await cosines(store))).toEqual(["other"]);
  });
});
