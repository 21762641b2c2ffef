import { checkOptions } from "./check-options.js";
import { draw } from "./draw.js";
import { edit } from "./edit.js";
import type { MotifLibrary } from "./motifs/motif-library.js";
import { readMotifLibrary } from "./motifs/read-motif-library.js";
import { parsePrompt } from "./prompt/parse-prompt.js";
import type { PromptPlan } from "./prompt/prompt-plan.js";
import { createVocabulary, type Vocabulary } from "./prompt/vocabulary.js";
import type { SketchEdit, SketchOptions } from "./sketch-options.js";

/** A composer of clip-art: it reads a prompt's words and arranges drawings they name. */
export interface Sketcher {
  /** Rejects with the signal's reason if it is aborted before a step begins. */
  draw(options: SketchOptions, signal?: AbortSignal): Promise<Buffer>;
  /** Rejects with an UnreadablePictureError for an input it cannot use, and as `draw` does. */
  edit(edit: SketchEdit, signal?: AbortSignal): Promise<Buffer>;
}

/** The drawings are read when the first picture is asked for, and kept. */
export function createSketcher(): Sketcher {
  let loading: Promise<Studio> | undefined;
  const open = async (
    prompt: string,
    signal: AbortSignal | undefined,
  ): Promise<{ plan: PromptPlan; library: MotifLibrary }> => {
    loading ??= openStudio();
    const { library, vocabulary } = await loading.catch((error: unknown) => {
      // A file that could not be read now may be readable for the next picture.
      loading = undefined;
      throw error;
    });
    signal?.throwIfAborted();
    return { plan: parsePrompt(prompt, vocabulary), library };
  };
  return {
    async draw(options, signal) {
      signal?.throwIfAborted();
      checkOptions(options);
      return draw(options, { ...(await open(options.prompt, signal)), look: options });
    },
    async edit(options, signal) {
      signal?.throwIfAborted();
      checkOptions(options);
      return edit(options, {
        ...(await open(options.prompt, signal)),
        ...(signal === undefined ? {} : { signal }),
      });
    },
  };
}

interface Studio {
  readonly library: MotifLibrary;
  readonly vocabulary: Vocabulary;
}

async function openStudio(): Promise<Studio> {
  const library = await readMotifLibrary();
  return { library, vocabulary: createVocabulary(library.motifs.keys(), library.emoji) };
}
