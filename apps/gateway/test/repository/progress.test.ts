import { expect, test } from "vitest";
import { Progress } from "../../progress.mjs";

function createProgress(isTTY: boolean) {
  const state = { now: 0, written: "" };
  const stream = {
    isTTY,
    columns: 40,
    write: (text: string) => {
      state.written += text;
    },
  };
  return { state, progress: new Progress(stream, () => state.now) };
}

test("without a terminal, each long step is a line at its begin and one at its end", () => {
  const { state, progress } = createProgress(false);

  progress.begin("Install packages");
  progress.note("Progress: added 3", "added 3");
  state.now = 12_400;
  progress.begin("Build");
  state.now += 1000;
  progress.end();

  expect(state.written).toBe("Install packages...\nInstall packages: done in 12 s\nBuild...\n");
});

test("on a terminal one line is updated, and is not longer than the terminal is wide", () => {
  const { state, progress } = createProgress(true);

  progress.begin("Build");
  state.now = 3000;
  progress.note("@model-gateway/docs:build: x", `@model-gateway/docs ${"x".repeat(99)}`);
  progress.end();

  const painted = state.written.split("\r\u001b[2K");
  expect(painted).toEqual([
    "",
    "Build  0 s",
    "Build  3 s  @model-gateway/docs xxxxxxx",
    "Build: done in 3 s\n",
  ]);
});

test("a step that fails shows the end of its output", () => {
  const { state, progress } = createProgress(false);

  progress.begin("Build");
  for (let line = 0; line < 100; line += 1) progress.note(`line ${line}`);
  state.now = 5000;
  progress.fail();

  expect(state.written).toMatch(
    /^Build\.\.\.\nBuild: failed after 5 s\. The end of its output:\n\n {2}line 60\n/,
  );
  expect(state.written).toMatch(/ {2}line 99\n\n$/);
});
