import { expect, test } from "vitest";
import type { OpenedImage } from "../../opened-image.js";
import type { ImageSettings } from "./image-result.js";
import { ImageSession, isMaskUnsaved, resultsOnShow } from "./image-session.js";
import type { RunNews } from "./run-images.js";

/** A session whose requests bring one image of ten bytes each, or fail by the name of their model. */
function openSession(bounds = { resultsMax: 9, bytesMax: 1000 }) {
  const released: string[] = [];
  const session = new ImageSession({
    run: async function* run({ model, prompt }, signal): AsyncGenerator<RunNews> {
      if (model === "broken") throw new Error("It is broken.");
      yield { type: "image", image: imageOf(`${prompt}, partial`), isFinished: false };
      if (model === "slow") await untilAborted(signal);
      yield { type: "image", image: imageOf(prompt), isFinished: true };
      yield {
        type: "facts",
        facts: { requestId: `req_${prompt}`, ms: 1, upstream: null, attempts: null, cache: null },
      };
    },
    costOf: async (id) => (id === "req_free" ? 0 : 0.04),
    release: ({ url }) => released.push(url),
    bounds,
  });
  const send = async (...requests: { model?: string; prompt: string }[]) => {
    session.start(requests.map(({ model = "good", prompt }) => prepare({ ...settings, model, prompt })));
    await expect.poll(() => session.read().results.every(({ costUsd }) => costUsd !== undefined)).toBe(true);
  };
  return { session, released, send };
}

test("a request that fails does not hide the others, and each has its cost", async () => {
  const { session, send } = openSession();

  await send({ prompt: "fox" }, { prompt: "owl", model: "broken" }, { prompt: "free" });

  const shown = resultsOnShow(session.read()).map(({ settings, state, error, costUsd }) => ({
    prompt: settings.prompt,
    state,
    error: error?.message,
    costUsd,
  }));
  expect(shown).toEqual([
    { prompt: "fox", state: "finished", error: undefined, costUsd: 0.04 },
    { prompt: "owl", state: "failed", error: "It is broken.", costUsd: null },
    { prompt: "free", state: "finished", error: undefined, costUsd: 0 },
  ]);
});

test("stopping ends all running requests", async () => {
  const { session } = openSession();
  session.start(["fox", "owl"].map((prompt) => prepare({ ...settings, model: "slow", prompt })));
  await expect.poll(() => session.read().results.every(({ images }) => images.length === 1)).toBe(true);

  session.stop();

  await expect.poll(() => session.read().results.map(({ state }) => state)).toEqual(["stopped", "stopped"]);
});

test("the next run leaves out partial images, and requests without an image", async () => {
  const { session, released, send } = openSession();
  await send({ prompt: "fox" }, { prompt: "owl", model: "broken" });

  await send({ prompt: "cat" });

  expect(session.read().results.map(({ settings, images }) => [settings.prompt, images.length])).toEqual([
    ["fox", 1],
    ["cat", 2],
  ]);
  expect(released).toEqual(["fox, partial"]);
});

test("the oldest results go when there are too many or they are too large, and their memory is freed", async () => {
  const byCount = openSession({ resultsMax: 2, bytesMax: 1000 });
  for (const prompt of ["fox", "owl", "cat"]) await byCount.send({ prompt });
  const byBytes = openSession({ resultsMax: 9, bytesMax: 35 });
  for (const prompt of ["fox", "owl", "cat"]) await byBytes.send({ prompt });

  for (const { session, released } of [byCount, byBytes]) {
    expect(session.read()).toMatchObject({
      results: [{ settings: { prompt: "owl" } }, { settings: { prompt: "cat" } }],
      removedCount: 1,
    });
    expect(released).toContain("fox");
  }
});

test("a pinned result stays, beside the next run", async () => {
  const { session, send } = openSession({ resultsMax: 2, bytesMax: 1000 });
  await send({ prompt: "fox" });
  session.togglePin(0);

  await send({ prompt: "owl" });
  await send({ prompt: "cat" });

  expect(promptsOnShow(session)).toEqual(["fox", "cat"]);
});

test("two pinned results are side by side until another one is chosen", async () => {
  const { session, send } = openSession();
  for (const prompt of ["fox", "owl", "cat"]) await send({ prompt });

  for (const id of [0, 1]) session.togglePin(id);
  expect(promptsOnShow(session)).toEqual(["fox", "owl"]);
  session.togglePin(2);
  expect(promptsOnShow(session)).toEqual(["owl", "cat"]);
  session.pick(0);
  expect(promptsOnShow(session)).toEqual(["fox"]);
});

test("a mask is saved with the result that was made with it", async () => {
  const { session } = openSession();
  const source = imageOf("sky");
  const strokes = [{ kind: "rectangle", from: { x: 0, y: 0 }, to: { x: 1, y: 1 } }] as const;
  session.changeDraft({ source, strokes });
  expect(isMaskUnsaved(session.read())).toBe(true);

  session.start([prepare({ ...settings, edit: { source, strokes } })]);

  expect(isMaskUnsaved(session.read())).toBe(false);
});

test("an image is freed when neither a result nor the draft has it, and all are at the end", async () => {
  const { session, released, send } = openSession();
  await send({ prompt: "fox" });
  const source = imageOf("sky");
  session.changeDraft({ source });
  session.start([prepare({ ...settings, model: "broken", edit: { source, strokes: [] } })]);
  session.changeDraft({ source: undefined });
  await send({ prompt: "owl" });
  expect(released).toEqual(["fox, partial", "sky"]);

  session.close();

  expect(released).toEqual(["fox, partial", "sky", "fox", "owl, partial", "owl"]);
  expect(session.read().results).toEqual([]);
});

const settings: ImageSettings = { model: "good", prompt: "fox", chosen: {}, sent: {}, edit: undefined };

function prepare(one: ImageSettings) {
  const { model, prompt } = one;
  return { settings: one, order: { model, prompt, options: {}, partialImages: 1 } };
}

function imageOf(url: string): OpenedImage {
  return { blob: new Blob(["0123456789"]), url, width: 1, height: 1 };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

function promptsOnShow(session: ImageSession): string[] {
  return resultsOnShow(session.read()).map(({ settings: { prompt } }) => prompt);
}
