import { useEffect, useRef, useState } from "react";
import { useListProviders } from "../../operations/listProviders.js";
import { useRetrieveConfiguration } from "../../operations/retrieveConfiguration.js";
import { type Address, goTo, linkTo, useAddress } from "../../routes/address.js";
import { faultName, type ModelChoice, settleIds } from "./model-choices.js";
import { linkToForm } from "./provider-list.js";
import { useUpstreamTrial } from "./settings-step.js";
import { findFaults, keptSecret, type Pair } from "./typed-settings.js";
import {
  entriesOf,
  faultsOfModels,
  faultsOfSettings,
  fieldsByPath,
  fillForm,
  type UpstreamDraft,
  type UpstreamForm,
  upstreamEntry,
} from "./upstream-draft.js";
import { useFaults } from "./use-faults.js";
import { faultAt, type Review, useReview } from "./use-review.js";
import { useTrials } from "./use-trials.js";

export type Step = "provider" | "settings" | "models" | "review" | "applied";

/** The state of the form. It is kept above what loads, so that nothing typed is lost when a query fails. */
export function useUpstreamForm() {
  const address = useAddress();
  const changed = address.path === "/upstreams/change" ? (address.query.get("upstream") ?? "") : undefined;
  const providers = useListProviders();
  const configuration = useRetrieveConfiguration();
  const [draft, setDraft] = useState<UpstreamDraft>();
  const review = useReview();
  const step = stepOf(address, { review, changed });
  const faults = useFaults(step);
  const trial = useUpstreamTrial((error) => showFault(error));
  const trials = useTrials();

  const chosen =
    changed === undefined ? address.query.get("provider") : configuration.data?.upstreams[changed]?.provider;
  const provider = providers.data?.data.find(({ id }) => id === chosen);
  const preset = provider?.presets.find(({ id }) => id === address.query.get("preset"))?.id;
  useProviderChange(provider && linkToForm(provider.id, preset), () => {
    setDraft(undefined);
    trial.reset();
    faults.report({});
  });
  const form =
    provider && configuration.data
      ? fillForm({
          provider,
          configuration: configuration.data,
          changed,
          draft,
          preset,
          listed: trial.data?.models,
        })
      : undefined;

  /** Reports a refusal at its field, if it has one, and goes to the step of that field. */
  const showFault = (error: Error): void => {
    const found = form && faultAt(error, fieldsByPath(form));
    if (found === undefined) return;
    const isOfModel = Object.keys(found).some((name) => name.startsWith(faultName("")));
    if (step === "models" && !isOfModel) goTo(stepLink(address, "settings"));
    faults.report(found);
  };
  // Of the draft of now: a trial that ends late edits what was typed while it ran.
  const edit = (change: (old: UpstreamDraft) => Partial<UpstreamDraft>): void =>
    setDraft((current) => {
      const old = current ?? { typed: form?.typed ?? {}, choices: {} };
      return { ...old, ...change(old) };
    });
  return {
    address,
    changed,
    providers,
    configuration,
    form,
    step,
    faults,
    review,
    trial,
    trials,
    showFault,
    isTouched: draft !== undefined,
    isShownAtField: (error: Error | null) =>
      form !== undefined && faultAt(error, fieldsByPath(form)) !== undefined,
    /** Tries the settings, once they have no fault that needs no gateway. */
    tryIt: (filled: UpstreamForm) => {
      const found = findFaults(filled.settings, filled.typed);
      if (Object.keys(found).length > 0) faults.report(found);
      else trial.run(trialRequest(filled, changed), filled.provider);
    },
    /** Keeps the names that were filled in: once they are applied, they would be taken. */
    settle: ({ name, offered }: UpstreamForm) =>
      edit(({ choices }) => ({ name, choices: settleIds(choices, offered) })),
    rename: (name: string) => {
      faults.clear("name");
      edit(() => ({ name }));
    },
    setSetting: (name: string, value: string | readonly Pair[]) => {
      faults.clear(name);
      trial.reset();
      // A secret that is typed and cleared again stays as it was.
      const entry = changed === undefined ? undefined : configuration.data?.upstreams[changed];
      const isKept = value === "" && entry?.[name] === keptSecret;
      edit(({ typed }) => ({ typed: { ...typed, [name]: isKept ? keptSecret : value } }));
    },
    choose: (model: string, change: Partial<ModelChoice>) => {
      const fields = ["type", "price", "inputType"] as const;
      faults.clear(faultName(model, fields.find((field) => change[field] !== undefined) ?? "id"));
      edit(({ choices }) => ({
        choices: { ...choices, [model]: { isTicked: false, ...choices[model], ...change } },
      }));
    },
  };
}

/**
 * Calls `reset` when another provider or preset is chosen: the settings and the trial are those of the earlier one.
 *
 * @param form The link of the form; undefined while none is chosen.
 */
function useProviderChange(form: string | undefined, reset: () => void): void {
  const last = useRef(form);
  useEffect(() => {
    if (form === undefined) return;
    if (last.current !== undefined && last.current !== form) reset();
    last.current = form;
  }, [form]);
}

interface Progress {
  readonly review: Review;
  readonly changed: string | undefined;
}

/** The step of the address. After a reload nothing is typed, and the first step is shown instead. */
function stepOf({ query }: Address, { review, changed }: Progress): Step {
  if (review.outcome?.applied === true) return "applied";
  if (changed === undefined && query.get("provider") === null) return "provider";
  const step = query.get("step");
  if (review.previewed === undefined) return "settings";
  return step === "review" || (step === "models" && changed === undefined) ? step : "settings";
}

export function stepLink({ path, query }: Address, step: "settings" | "models" | "review"): string {
  const { step: _left, ...others } = Object.fromEntries(query);
  return linkTo(path, { ...others, ...(step !== "settings" && { step }) });
}

type FormState = ReturnType<typeof useUpstreamForm>;

/** The request that tries the upstream: the secrets that it has stay usable. */
export function trialRequest(form: UpstreamForm, changed: string | undefined) {
  return { upstream: upstreamEntry(form), ...(changed !== undefined && { name: changed }) };
}

/** Checks a step, here and by the gateway, and goes on to the next one. */
export function proceed(state: FormState, form: UpstreamForm): void {
  const { address, changed, step, faults, review, trial, configuration } = state;
  const { upstreams = {}, models = {} } = configuration.data ?? {};
  const found =
    step === "models"
      ? faultsOfModels(form.offered, models)
      : faultsOfSettings(form, changed === undefined ? upstreams : {});
  if (Object.keys(found).length > 0) {
    faults.report(found);
    return;
  }
  state.settle(form);
  const isLast = step === "models" || changed !== undefined;
  const entries = entriesOf(isLast ? form : { ...form, offered: [] });
  review.check(entries, {
    onSuccess: () => {
      goTo(stepLink(address, isLast ? "review" : "models"));
      if (!isLast && trial.data === undefined && !trial.isPending) trial.list(trialRequest(form, changed));
    },
    onError: state.showFault,
  });
}
