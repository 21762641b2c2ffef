import { type ReactNode, useEffect, useState } from "react";
import { useListAdminModels } from "../../operations/listAdminModels.js";
import { useListKeys } from "../../operations/listKeys.js";
import { useHasRequests } from "../../operations/listRequests.js";
import { useListUpstreams } from "../../operations/listUpstreams.js";
import type { Schemas } from "../../operations/schemas.js";
import { Badge } from "../../parts/badge.js";
import { Code } from "../../parts/code-sample.js";
import { Panel } from "../../parts/panel.js";
import { linkTo } from "../../routes/address.js";
import { gatewayRoot } from "../../session/session-client.js";
import { useMay } from "../../session/session-context.js";
import { samplesFor } from "../models/describe-model.js";

const stored = "model-gateway.first-steps";

/** The key that a gateway without keys creates for one run. It is not one to build on. */
const startKeyId = "config:this-run";

/** The first steps of a new gateway. Once they are done or dismissed, this browser never loads them again. */
export function FirstSteps() {
  const [isOver, setOver] = useState(() => localStorage.getItem(stored) !== null);
  const end = () => {
    localStorage.setItem(stored, "over");
    setOver(true);
  };
  const maySetUp = useMay("createKey");
  return isOver || !maySetUp ? null : <Steps onEnd={end} />;
}

function Steps({ onEnd }: { readonly onEnd: () => void }) {
  const hasRequests = useHasRequests();
  const keys = useListKeys({ limit: 2 }, { everyMs: 5000 });
  const upstreams = useListUpstreams();
  const models = useListAdminModels();
  const isLoaded =
    hasRequests !== undefined &&
    keys.data !== undefined &&
    upstreams.data !== undefined &&
    models.data !== undefined;
  const hasKeys = keys.data?.pages.some(({ data }) => data.some(({ id }) => id !== startKeyId)) ?? false;
  const hasUpstream = upstreams.data?.data.some(({ provider }) => provider !== "local") ?? false;
  const isDone = isLoaded && hasRequests && hasKeys && hasUpstream;
  useEffect(() => {
    if (isDone) onEnd();
  }, [isDone, onEnd]);
  if (!isLoaded || isDone) return null;
  return (
    <Panel
      title="First steps"
      actions={
        <button type="button" className="button" onClick={onEnd}>
          Dismiss
        </button>
      }
    >
      <ol className="steps">
        <Step title="Send the first request" isDone={hasRequests}>
          <FirstRequest models={models.data.data} />
        </Step>
        <Step title="Create a key" isDone={hasKeys}>
          <p className="quiet">Each caller gets its own key, with its own limits and budget.</p>
          <a className="button" href={linkTo("/keys", { create: "key" })}>
            Create key
          </a>
        </Step>
        <Step title="Add an upstream" isDone={hasUpstream}>
          <p className="quiet">A provider's key or the address of your own server is enough.</p>
          <a className="button" href={linkTo("/upstreams/add")}>
            Add upstream
          </a>
        </Step>
      </ol>
    </Panel>
  );
}

interface StepProps {
  readonly title: string;
  readonly isDone: boolean;
  /** How to do it, while it is not done. */
  readonly children: ReactNode;
}

function Step({ title, isDone, children }: StepProps) {
  return (
    <li>
      <h3>
        <Badge tone={isDone ? "good" : "quiet"}>
          <span>
            {title}
            <span className="visually-hidden">{isDone ? " (done)" : " (to do)"}</span>
          </span>
        </Badge>
      </h3>
      {!isDone && <div className="step">{children}</div>}
    </li>
  );
}

/** A request that works here: with a model of this gateway, at this address. */
function FirstRequest({ models }: { readonly models: readonly Schemas["AdminModel"][] }) {
  const callable = models.filter(({ is_pattern, status }) => !is_pattern && status === "ready");
  const model = callable.find(({ type }) => type === "embedding") ?? callable[0];
  const sample = model && samplesFor(model, gatewayRoot).find(({ language }) => language === "curl");
  if (model === undefined || sample === undefined)
    return <p className="quiet">No model is ready yet. Add an upstream with a model first.</p>;
  return (
    <>
      <p className="quiet">
        <code>GATEWAY_KEY</code> is an API key, such as the one that the gateway printed when it started.
      </p>
      <Code text={sample.code} label="The first request" />
    </>
  );
}
