import type { ImageProfile } from "@model-gateway/domain/image-profile";
import type { z } from "zod";
import { readFastApiDetail } from "../dialects/fast-api.js";
import { plainProfile } from "../dialects/images/image-profile.js";
import { basic } from "../http/credentials/authentication.js";
import { parseObject, textOf } from "../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, textSetting } from "../http/remote-settings.js";
import { refuseHeader } from "../http/settings.js";
import { Checkpoints, checkpointsIn } from "./checkpoints.js";
import { createWebUiOperations, sides, stepsByQuality } from "./images.js";

const profile: ImageProfile = {
  ...plainProfile,
  name: "automatic1111",
  parameters: ["size", "quality", "n", "seed", "negative_prompt"],
  sizes: ["auto", "WIDTHxHEIGHT"],
  sides,
  qualities: ["auto", ...Object.keys(stepsByQuality)],
  // One batch is computed at once, in the memory of the graphics card.
  maxN: 4,
  edits: true,
  mask: true,
};

const tenMinutesMs = 600_000;

/** The API of AUTOMATIC1111's web UI, shared by Forge and SD.Next. The flag `--api` turns it on. */
export const automatic1111Provider = defineRemoteProvider({
  name: "automatic1111",
  title: "AUTOMATIC1111, Forge and SD.Next",
  settings: {
    baseUrl: baseUrlSetting("The address of the web UI, without /sdapi.", "http://127.0.0.1:7860"),
    username: textSetting("The user of --api-auth, if the web UI has one.").optional(),
    password: textSetting("The password of --api-auth. Take it from the environment: ${NAME}.").optional(),
  },
  rule: { keys: ["username", "password", "headers"], check: checkCredentials },
  // The web UI works on one request at a time: the others wait there.
  defaults: {
    timeoutMs: { createImage: tenMinutesMs, createImageEdit: tenMinutesMs },
    price: { embedding: { perMillionTokens: 0 }, image: { perImage: 0 } },
  },
  images: () => ({ profile, mask: "white" }),
  examples: { images: ["any checkpoint"] },
  servers: [
    {
      name: "automatic1111",
      title: "AUTOMATIC1111",
      port: 7860,
      listPath: "/sdapi/v1/sd-models",
      basePath: "",
      modelsIn: checkpointsIn,
    },
  ],
  describe: ({ password }) => ({ hasKey: password !== undefined }),
  authenticate: ({ username = "", password }) => (password === undefined ? [] : basic(username, password)),
  readError: readWebUiError,
  open: (send) => ({ operations: createWebUiOperations(send, new Checkpoints(send)) }),
});

interface Credentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

function checkCredentials(
  { username, password, headers }: Credentials,
  context: z.core.$RefinementCtx,
): void {
  const refuse = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
  if (username === undefined && password === undefined) return;
  if (username === undefined) refuse(["username"], "is required with a password");
  if (password === undefined) refuse(["password"], "is required with a username");
  const message = "is sent for username and password already; remove one of the two";
  refuseHeader({ name: "authorization", headers, message }, context);
}

const callersNames = {
  init_images: "image",
  width: "size",
  height: "size",
  batch_size: "n",
  steps: "quality",
};

/** `{ "error", "detail", "body", "errors" }`, or FastAPI's `{ "detail": [...] }` with 422. */
function readWebUiError({ status, body }: ErrorReply): ReportedError {
  const { error, detail, errors } = parseObject(body) ?? {};
  const { message, param } = readFastApiDetail(detail, callersNames);
  // Its status does not show that an image cannot be decoded.
  if (message === "Invalid encoded image")
    return {
      code: "invalid_image_file",
      message: "Invalid image file: it cannot be decoded.",
      param: "image",
    };
  return {
    // Another server may have more memory. Nothing was made here.
    code: status === 500 && error === "OutOfMemoryError" ? "upstream_unavailable" : undefined,
    message: message ?? textOf(errors),
    param,
    word: textOf(error),
  };
}
