import type { ReactNode } from "react";
import type { Schemas } from "../../operations/schemas.js";
import { changeQuery, useAddress } from "../../routes/address.js";
import type { OpenedImage } from "../opened-image.js";
import { useMaskGuard } from "./mask/use-mask-guard.js";
import { commonCapabilities } from "./options/common-capabilities.js";
import { type ImageModel, prepareRequests, settingsOf } from "./prepare-requests.js";
import type { ImageResult, ImageSettings } from "./results/image-result.js";
import { type Draft, isMaskUnsaved } from "./results/image-session.js";
import { useImageSession } from "./results/kept-images.js";

interface PlaygroundModels {
  readonly models: readonly ImageModel[];
  readonly chosen: readonly [ImageModel, ...ImageModel[]];
}

export interface Playground extends PlaygroundModels {
  readonly draft: Draft;
  /** The capabilities that the chosen models share. */
  readonly image: Schemas["ImageCapabilities"];
  /** The requests that the button sends. */
  readonly settings: readonly ImageSettings[];
  readonly isRunning: boolean;
  readonly canRun: boolean;
  readonly change: (draft: Partial<Draft>) => void;
  readonly submit: () => void;
  readonly stop: () => void;
  readonly chooseModels: (ids: readonly string[]) => void;
  /** Begins to edit a file that was opened, or ends editing. */
  readonly openSource: (source: OpenedImage | undefined) => void;
  readonly editResult: (image: OpenedImage) => void;
  readonly reuse: (result: ImageResult) => void;
  /** Asks before a mask is lost. */
  readonly dialog: ReactNode;
}

/** The state of the playground, and the steps that change it. Those that would lose a mask ask first. */
export function usePlayground({ models, chosen }: PlaygroundModels): Playground {
  const { session, state } = useImageSession();
  const address = useAddress();
  const { ask, dialog } = useMaskGuard(isMaskUnsaved(state));
  const { draft, results } = state;
  const [first, ...more] = chosen;
  const image = commonCapabilities([first.image, ...more.map((model) => model.image)]);
  const request = { draft, models: chosen, image };
  const settings = settingsOf(request);
  const isRunning = results.some((result) => result.state === "running");
  const canRun = !isRunning && settings.every(({ prompt }) => prompt !== "");

  const change = (changes: Partial<Draft>) => session.changeDraft(changes);
  const replaceSource = (source: OpenedImage | undefined, onKeep?: () => void) =>
    ask({
      why: "A mask belongs to its image.",
      onDiscard: () => change({ source, strokes: [] }),
      ...(onKeep && { onKeep }),
    });
  return {
    models,
    chosen,
    draft,
    image,
    settings,
    isRunning,
    canRun,
    change,
    submit: () => void (canRun && prepareRequests(request).then((requests) => session.start(requests))),
    stop: () => session.stop(),
    chooseModels: (ids) => {
      const choose = (changes: Partial<Draft>) => {
        change({ ...changes, models: ids });
        changeQuery(address, { model: ids[0] });
      };
      const takeMask = models.every(({ id, image: { mask } }) => mask || !ids.includes(id));
      if (takeMask) choose({});
      else ask({ why: "Not every chosen model takes a mask.", onDiscard: () => choose({ strokes: [] }) });
    },
    openSource: (source) => replaceSource(source, () => source && URL.revokeObjectURL(source.url)),
    editResult: (source) => replaceSource(source),
    reuse: ({ settings: { model, prompt, chosen: options, edit } }) =>
      ask({
        why: "The settings of this result have another mask, or none.",
        onDiscard: () => {
          const { source, strokes = [] } = edit ?? {};
          change({ prompts: [prompt], models: [model], chosen: options, source, strokes });
          changeQuery(address, { model });
        },
      }),
    dialog,
  };
}
