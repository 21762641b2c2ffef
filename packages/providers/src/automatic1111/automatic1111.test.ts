import { GatewayError } from "@model-gateway/domain/errors";
import { withTexts } from "@model-gateway/domain/test/with-texts";
import { expect, test } from "vitest";
import type { OutgoingRequest, Send } from "../http/send.js";
import { TestCall } from "../test/call.js";
import { replyWith } from "../test/reply.js";
import { automatic1111Provider } from "./automatic1111.js";
import { Checkpoints } from "./checkpoints.js";
import { createWebUiOperations } from "./images.js";

const settings = { provider: "automatic1111", baseUrl: "http://127.0.0.1:7860" };

/** A web UI that replies to everything with this. */
function replying(reply: unknown, sent: OutgoingRequest[] = []): Send {
  return async (request) => {
    sent.push(request);
    return replyWith(reply);
  };
}

test.each([
  [{ username: "a" }, ["password"]],
  [{ password: "b" }, ["username"]],
  [{ username: "a", password: "b", headers: { Authorization: "x" } }, ["headers", "Authorization"]],
])("credentials of %j have a fault at %j", (given, path) => {
  const { error } = automatic1111Provider.settings.safeParse({ ...settings, ...given });

  expect(error?.issues).toMatchObject([{ path }]);
});

test("a password is a key, and stays out of the description's own fields", () => {
  const described = automatic1111Provider.describe({ ...settings, username: "a", password: "b" }, "");

  expect(described).toMatchObject({ hasKey: true, settings: { username: "a", password: "b" } });
  expect(automatic1111Provider.describe(settings, "").hasKey).toBe(false);
});

const listed = [
  {
    title: "sd/dream.safetensors [879db523c3]",
    model_name: "dream",
    hash: "879db523c3",
    sha256: "879db523c3aa",
    filename: "C:\\models\\sd\\dream.safetensors",
  },
];

test.each([
  "sd/dream.safetensors [879db523c3]",
  "sd/dream.safetensors",
  "dream.safetensors",
  "dream",
  "879db523c3",
  "879db523c3aa",
])("the checkpoint %s is found, with one lookup", async (model) => {
  const sent: OutgoingRequest[] = [];
  const checkpoints = new Checkpoints(replying(listed, sent));
  const call = Object.assign(new TestCall(), { model });

  expect(await checkpoints.titleOf(call)).toBe(listed[0]?.title);
  expect(await checkpoints.titleOf(call)).toBe(listed[0]?.title);
  expect(sent).toMatchObject([{ method: "GET", path: "/sdapi/v1/sd-models" }]);
});

test.each([
  ["a list without it", listed, "upstream_model_missing"],
  ["no list", { detail: "x" }, "upstream_invalid_reply"],
  ["a list of something else", [{ name: "dream" }], "upstream_invalid_reply"],
])("with %s nothing is made", async (_what, reply, code) => {
  const checkpoints = new Checkpoints(replying(reply));

  await expect(checkpoints.titleOf(new TestCall())).rejects.toMatchObject({ code, nothingBilled: true });
});

test("a failure before the first image is one without any image", async () => {
  const failure = new GatewayError("upstream_error", "The upstream failed with status 500.");
  const checkpoints = new Checkpoints(() => Promise.reject(failure));

  await expect(checkpoints.titleOf(new TestCall())).rejects.toMatchObject({ nothingBilled: true });
});

const title = { titleOf: async () => "dream" };

test("a seed and a negative prompt are fields of the body", async () => {
  const sent: OutgoingRequest[] = [];
  const { createImage } = createWebUiOperations(replying({ images: ["aGk="] }, sent), title);

  await createImage?.({ prompt: "a fox", ...{ seed: 7, negative_prompt: "rain" } }, new TestCall());

  expect(JSON.parse(String(sent[0]?.body))).toMatchObject({ seed: 7, negative_prompt: "rain" });
});

test.each([
  ["its images", { images: ["aaaa", "bbbb"], info: "{}" }, ["aaaa", "bbbb"]],
  [
    "what comes after a grid",
    { images: ["grid", "aaaa", "bbbb"], info: '{"index_of_first_image": 1}' },
    ["aaaa", "bbbb"],
  ],
  ["what comes before the mask of a script", { images: ["aaaa", "bbbb", "mask"] }, ["aaaa", "bbbb"]],
  ["all there are", { images: ["aaaa"], info: "not JSON" }, ["aaaa"]],
])("a reply has %s", async (_what, reply, images) => {
  const { createImage } = createWebUiOperations(replying(reply), title);

  expect(withTexts(await createImage?.({ prompt: "a fox", n: 2 }, new TestCall()))).toMatchObject({
    images: { data: images.map((content) => ({ content })) },
  });
});

test("a reply without images is a failure of the web UI", async () => {
  const { createImage } = createWebUiOperations(replying({ images: [], info: "{}" }), title);

  await expect(createImage?.({ prompt: "a fox" }, new TestCall())).rejects.toMatchObject({
    code: "upstream_invalid_reply",
  });
});
