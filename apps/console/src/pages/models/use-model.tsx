import type { ShownModel } from "../../operations/listModels.js";
import { CodeSamples } from "../../parts/code-sample.js";
import { linkTo } from "../../routes/address.js";
import { gatewayRoot } from "../../session/session-client.js";
import { samplesFor } from "./describe-model.js";

/** The samples of a model, where their key comes from, and the guide to other clients. */
export function UseModel({
  model,
  isOperator,
}: {
  readonly model: ShownModel;
  readonly isOperator: boolean;
}) {
  return (
    <div className="stack">
      <CodeSamples samples={samplesFor(model, gatewayRoot)} />
      <p className="small">
        <code>GATEWAY_KEY</code> is an environment variable with an API key.{" "}
        {isOperator ? (
          <>
            <a href={linkTo("/keys", { create: "key" })}>Create a key</a>, then set it:
          </>
        ) : (
          "Set it to the key that you signed in with:"
        )}{" "}
        <code>export GATEWAY_KEY=…</code>
      </p>
      <p className="small">
        LangChain, the Vercel AI SDK, LlamaIndex, Azure OpenAI and Ollama clients:{" "}
        <a href={`${gatewayRoot}/docs/guides/clients/`} target="_blank" rel="noopener noreferrer">
          guide to clients
        </a>
      </p>
    </div>
  );
}
