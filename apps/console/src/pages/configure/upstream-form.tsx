import type { FormEvent } from "react";
import type { Schemas } from "../../operations/schemas.js";
import { Page } from "../../parts/page.js";
import { Panel } from "../../parts/panel.js";
import { Empty, Fault, Loaded } from "../../parts/states.js";
import { goTo, linkTo } from "../../routes/address.js";
import { Applied } from "./applied.js";
import { ModelsStep } from "./models-step.js";
import { presetOf } from "./presets.js";
import { ProviderList } from "./provider-list.js";
import { ReviewStep } from "./review-step.js";
import { SettingsStep, TryRow } from "./settings-step.js";
import { describeTrial } from "./trial.js";
import type { UpstreamForm } from "./upstream-draft.js";
import { useEscape } from "./use-escape.js";
import { proceed, type Step, stepLink, trialRequest, useUpstreamForm } from "./use-upstream-form.js";

type FormState = ReturnType<typeof useUpstreamForm>;

const leads: Readonly<Record<Step, string>> = {
  provider: "Choose the provider: the API that the service has.",
  settings: "Where the service is, and the key for it.",
  models: "Tick the models that callers may use. More can be added later.",
  review: "The exact change. Nothing is written before you apply it.",
  applied: "",
};

function titleOf({ step, changed, form }: Pick<FormState, "step" | "changed" | "form">): string {
  const what = changed === undefined ? "Add upstream" : `Change ${changed}`;
  if (step === "applied") return changed === undefined ? "Upstream added" : "Upstream changed";
  if (step === "models" || step === "review") return `${what}: ${step}`;
  if (changed !== undefined || form === undefined) return what;
  const { title } = presetOf(form.provider.presets, form.typed) ?? form.provider;
  return `${what}: ${title}`;
}

/** Adds an upstream with its models, or changes one. Typed text is kept here, and in no address. */
export default function UpstreamFormPage() {
  const state = useUpstreamForm();
  const { address, changed, step, form, providers, configuration, isTouched } = state;
  const before = backLink(state);
  useEscape(step === "applied" || (before.leaves && isTouched) ? undefined : () => goTo(before.link));
  return (
    <Page title={titleOf(state)} lead={leads[step]}>
      <Loaded query={providers}>
        {({ data }) =>
          step === "provider" ? (
            <ProviderList providers={data} />
          ) : (
            <Loaded query={configuration}>
              {(loaded) =>
                form === undefined ? (
                  <Empty action={<a href={linkTo("/upstreams")}>See the upstreams</a>}>
                    {changed === undefined
                      ? `There is no provider ${address.query.get("provider")}.`
                      : `The file has no upstream ${changed}.`}
                  </Empty>
                ) : (
                  <Steps state={state} form={form} configuration={loaded} />
                )
              }
            </Loaded>
          )
        }
      </Loaded>
    </Page>
  );
}

/** Where Escape and the second button lead: one step back, or out of the form. */
function backLink({ address, changed, step }: Pick<FormState, "address" | "changed" | "step">) {
  if (step === "review")
    return { link: stepLink(address, changed === undefined ? "models" : "settings"), leaves: false };
  if (step === "models") return { link: stepLink(address, "settings"), leaves: false };
  if (step === "settings" && changed === undefined) return { link: linkTo("/upstreams/add"), leaves: false };
  return { link: linkTo("/upstreams"), leaves: true };
}

interface StepsProps {
  readonly state: FormState;
  readonly form: UpstreamForm;
  readonly configuration: Schemas["Configuration"];
}

function Steps({ state, form, configuration }: StepsProps) {
  const { step, review, changed } = state;
  const { link, leaves } = backLink(state);
  const back = (
    <a className="button" href={link}>
      {leaves ? "Cancel" : "Back"}
    </a>
  );
  const failed = state.trial.data?.ok === false ? describeTrial(state.trial.data) : undefined;
  if (step === "review")
    return <ReviewStep review={review} configuration={configuration} back={back} failed={failed} />;
  if (step === "applied" && review.outcome !== undefined)
    return (
      <Applied
        outcome={review.outcome}
        done={changed === undefined ? `${form.name} is added.` : `${changed} is changed.`}
        models={form.offered.filter(({ isTicked }) => isTicked)}
        failed={failed}
      />
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    proceed(state, form);
  };
  return (
    <form ref={state.faults.form} noValidate onSubmit={submit}>
      <Panel title={step === "models" ? `Models of ${form.name}` : "Settings"}>
        <div className="stack form">
          {step === "models" ? <Models state={state} form={form} /> : <Settings state={state} form={form} />}
          {review.checkError !== null && !state.isShownAtField(review.checkError) && (
            <Fault error={review.checkError} />
          )}
          <div className="row">
            <button type="submit" className="button primary" disabled={review.isChecking}>
              {review.isChecking
                ? "Checking…"
                : step === "models" || changed !== undefined
                  ? "Review"
                  : "Continue"}
            </button>
            {back}
          </div>
        </div>
      </Panel>
    </form>
  );
}

type StepProps = Pick<StepsProps, "state" | "form">;

function Settings({ state, form }: StepProps) {
  const { changed, faults, trial, tryIt, setSetting, rename, isShownAtField } = state;
  return (
    <>
      <SettingsStep
        form={form}
        faults={faults.faults}
        onChange={setSetting}
        onRename={changed === undefined ? rename : undefined}
      />
      <TryRow trial={trial} isErrorShown={isShownAtField(trial.error)} onTry={() => tryIt(form)} />
    </>
  );
}

function Models({ state, form }: StepProps) {
  const { changed, faults, trial, trials, tryIt, choose } = state;
  const isListed = trial.data?.models != null;
  return (
    <>
      {!isListed && <TryRow trial={trial} isErrorShown={false} onTry={() => tryIt(form)} />}
      <ModelsStep
        offered={form.offered}
        trial={trial.data}
        isListing={trial.isPending}
        modelTypes={form.provider.model_types}
        trialOf={trialRequest(form, changed)}
        trials={trials}
        faults={faults.faults}
        onChange={choose}
      />
    </>
  );
}
