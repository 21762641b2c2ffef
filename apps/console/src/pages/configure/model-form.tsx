import { type FormEvent, useState } from "react";
import { useListProviders } from "../../operations/listProviders.js";
import { useRetrieveConfiguration } from "../../operations/retrieveConfiguration.js";
import type { Schemas } from "../../operations/schemas.js";
import { useProbeVectors } from "../../operations/tryUpstream.js";
import { Page } from "../../parts/page.js";
import { Panel } from "../../parts/panel.js";
import { Empty, Fault, Loaded } from "../../parts/states.js";
import { goTo, linkTo, useAddress } from "../../routes/address.js";
import { Applied } from "./applied.js";
import {
  emptyModel,
  emptyTarget,
  faultsOfModel,
  fillModel,
  type ModelDraft,
  type ModelForm,
  modelFieldsByPath,
  readModel,
  writeModel,
} from "./model-draft.js";
import { ModelFields } from "./model-fields.js";
import { ReviewStep } from "./review-step.js";
import { warnOfMix } from "./targets-to-mix.js";
import { describeTrial } from "./trial.js";
import { useEscape } from "./use-escape.js";
import { useFaults } from "./use-faults.js";
import { faultAt, useReview } from "./use-review.js";
import { type Trials, useTrials } from "./use-trials.js";

/** Adds a model at an upstream that exists, or changes one. */
export default function ModelFormPage() {
  const state = useModelForm();
  const { address, changed, step, configuration, providers, form, isTouched } = state;
  const formLink = linkTo(address.path, { ...Object.fromEntries(address.query), step: undefined });
  const before = step === "review" ? formLink : linkTo("/models");
  useEscape(step === "applied" || (step === "form" && isTouched) ? undefined : () => goTo(before));
  return (
    <Page title={titleOf(state)} lead={leadOf(state)}>
      <Loaded query={providers}>
        {({ data }) => (
          <Loaded query={configuration}>
            {(loaded) =>
              form === undefined ? (
                <Empty action={<a href={linkTo("/models")}>See the models</a>}>
                  The file has no model {changed}.
                </Empty>
              ) : (
                <Steps state={state} form={form} configuration={loaded} providers={data} before={before} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

function titleOf({ step, changed }: Pick<FormState, "step" | "changed">): string {
  if (step === "applied") return changed === undefined ? "Model added" : "Model changed";
  const what = changed === undefined ? "Add model" : `Change ${changed}`;
  return step === "review" ? `${what}: review` : what;
}

function leadOf({ step, changed }: Pick<FormState, "step" | "changed">): string | undefined {
  if (step === "review") return "The exact change. Nothing is written before you apply it.";
  return step === "form" && changed === undefined
    ? "Choose an upstream, and one of the models that it has. For a new service, add an upstream first."
    : undefined;
}

/** The state of the form, above what loads, so that nothing typed is lost when a query fails. */
function useModelForm() {
  const address = useAddress();
  const changed = address.path === "/models/change" ? (address.query.get("model") ?? "") : undefined;
  const providers = useListProviders();
  const configuration = useRetrieveConfiguration();
  const [draft, setDraft] = useState<ModelDraft>();
  const review = useReview();
  const trials = useTrials();
  const probe = useProbeVectors();
  const step =
    review.outcome?.applied === true
      ? "applied"
      : address.query.get("step") === "review" && review.previewed !== undefined
        ? "review"
        : "form";
  const faults = useFaults(step);
  const present = changed === undefined ? undefined : configuration.data?.models[changed];
  // Once the change is in force, its targets are the present ones.
  const [before, setBefore] = useState(present);
  const upstreams = configuration.data?.upstreams ?? {};
  const current =
    draft ??
    withAdded(
      present === undefined ? emptyModel(firstTarget(upstreams, address.query)) : readModel(present),
      address.query,
    );
  const provider = providers.data?.data.find(
    ({ id }) => id === upstreams[current.targets[0]?.upstream ?? ""]?.provider,
  );
  const isKnown = configuration.data !== undefined && (changed === undefined || present !== undefined);
  const form = isKnown
    ? fillModel({ draft: current, changed, provider, configuration: configuration.data })
    : undefined;
  return {
    address,
    changed,
    present,
    before,
    setBefore,
    providers,
    configuration,
    review,
    trials,
    probe,
    step,
    faults,
    form,
    modelTypes: provider?.model_types ?? (["embedding", "image"] as const),
    isTouched: draft !== undefined,
    edit: (change: Partial<ModelDraft>, field: string) => {
      faults.clear(field);
      // A trial may end after more was typed.
      setDraft((now) => ({ ...(now ?? current), ...change }));
    },
    /** Fills in the width that a trial has found, unless one is typed. */
    fillDimensions: (width: number) =>
      setDraft((now = current) =>
        now.dimensions.trim() === "" ? { ...now, dimensions: String(width) } : now,
      ),
  } as const;
}

type FormState = ReturnType<typeof useModelForm>;

/** The upstream that the address names, or the only one, and its model that the address names. */
function firstTarget(upstreams: Readonly<Record<string, unknown>>, query: URLSearchParams) {
  const names = Object.keys(upstreams);
  const named = query.get("upstream") ?? "";
  const upstream = upstreams[named] !== undefined ? named : names.length === 1 ? (names[0] ?? "") : "";
  return { upstream, model: query.get("name") ?? "" };
}

/** A link that adds a target leads to its empty fields. */
function withAdded(draft: ModelDraft, query: URLSearchParams): ModelDraft {
  return query.get("add") === "target" ? { ...draft, targets: [...draft.targets, emptyTarget] } : draft;
}

/** Why the last trial of a target failed, if one did. Its upstream may not even have listed its models. */
function failedTrial(
  { type, targets }: ModelForm,
  { upstreams }: Pick<Schemas["Configuration"], "upstreams">,
  trials: Trials,
): string | undefined {
  const failed = targets
    .map(({ upstream, model }) => {
      const tried = { upstream: upstreams[upstream] ?? {}, name: upstream };
      const called = type && trials.of({ ...tried, model: { type, name: model.trim() } }).data;
      return called ?? trials.of({ ...tried, list_only: true }).data;
    })
    .find((trial) => trial?.ok === false);
  return failed && describeTrial(failed);
}

function check(state: FormState, form: ModelForm): void {
  const { address, changed, present, faults, review, configuration } = state;
  const found = faultsOfModel(form, changed === undefined ? (configuration.data?.models ?? {}) : {});
  if (Object.keys(found).length > 0) {
    faults.report(found);
    return;
  }
  // Once the id is applied, it would be taken, and another would be filled in.
  state.edit({ id: form.id }, "id");
  state.setBefore(present);
  review.check(
    { models: { [form.id.trim()]: writeModel(form, present) } },
    {
      onSuccess: () => goTo(linkTo(address.path, { ...Object.fromEntries(address.query), step: "review" })),
      onError: (error) => {
        const fault = faultAt(error, modelFieldsByPath(form));
        if (fault !== undefined) faults.report(fault);
      },
    },
  );
}

interface StepsProps {
  readonly state: FormState;
  readonly form: ModelForm;
  readonly configuration: Schemas["Configuration"];
  readonly providers: readonly Schemas["Provider"][];
  /** Where Back and Cancel lead. */
  readonly before: string;
}

function Steps({ state, form, configuration, providers, before }: StepsProps) {
  const { step, review, changed, faults } = state;
  const back = (
    <a className="button" href={before}>
      {step === "review" ? "Back" : "Cancel"}
    </a>
  );
  const failed = failedTrial(form, configuration, state.trials);
  const { data: probed, isPending: isComparing } = state.probe;
  const mix = warnOfMix(form, { probed, present: state.before, isComparing });
  if (step === "review")
    return <ReviewStep review={review} configuration={configuration} back={back} failed={failed} mix={mix} />;
  if (step === "applied" && review.outcome !== undefined)
    return (
      <Applied
        outcome={review.outcome}
        done={`${form.id} is ${changed === undefined ? "added" : "changed"}.`}
        models={[{ ...form, hasVectorsToCompare: form.type === "embedding" && form.targets.length > 1 }]}
        failed={failed}
        mix={mix}
      />
    );
  const isUnplaced =
    review.checkError !== null && faultAt(review.checkError, modelFieldsByPath(form)) === undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check(state, form);
  };
  return (
    <form ref={faults.form} noValidate onSubmit={submit}>
      <Panel title="Settings">
        <div className="stack form">
          <ModelFields state={state} form={form} configuration={configuration} providers={providers} />
          {isUnplaced && review.checkError !== null && <Fault error={review.checkError} />}
          <div className="row">
            <button type="submit" className="button primary" disabled={review.isChecking}>
              {review.isChecking ? "Checking…" : "Review"}
            </button>
            {back}
          </div>
        </div>
      </Panel>
    </form>
  );
}
