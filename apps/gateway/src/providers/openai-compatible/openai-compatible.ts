import { errorOf } from "../../errors.js";
import { defineOpenAiServer, openAiTraits } from "../dialects/openai/define-provider.js";
import { baseUrlSetting } from "../http/remote-settings.js";
import { lmStudio, sdServer, vllm } from "./servers.js";

/** Any server that speaks OpenAI's dialect. */
export const openAiCompatibleProvider = defineOpenAiServer({
  name: "openai-compatible",
  title: "OpenAI-compatible server",
  baseUrl: baseUrlSetting("The address of the service, up to and including /v1."),
  embeddings: () => ({
    ...openAiTraits,
    tooLong: "unknown",
    unitVectors: "unknown",
    targetKeys: ["dimensionsField", "encoding", "inputTypeField", "inputTypes"],
  }),
  examples: { embeddings: ["any model"], images: ["any model"] },
  servers: [lmStudio, vllm, sdServer],
  checkPrompt: refuseOptions,
});

/** The server of stable-diffusion.cpp reads any of its options from this part of a prompt. */
const optionsTag = "<sd_cpp_extra_args>";

function refuseOptions(prompt: string): void {
  if (!prompt.includes(optionsTag)) return;
  const hint = "An upstream may read options from it.";
  throw errorOf("unsupported_value", { param: "prompt", value: optionsTag }, { hint });
}
