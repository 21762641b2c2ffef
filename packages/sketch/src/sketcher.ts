import sharp from "sharp";
import { createImageEdit } from "./create-image-edit.js";
import { encode } from "./image/image-file.js";
import { type MotifLibrary, readMotifLibrary } from "./motifs/motif-library.js";
import { parsePrompt } from "./prompt/parse-prompt.js";
import type { PromptPlan } from "./prompt/prompt-plan.js";
import { createVocabulary, type Vocabulary } from "./prompt/vocabulary.js";
import { type Composition, composeScene, composeSticker } from "./scene/compose.js";
import { checkOptions, type SketchEdit, type SketchOptions } from "./sketch-options.js";

/** Composes clip-art: it reads the words of a prompt and arranges matching drawings. */
export interface Sketcher {
  /** Rejects with the signal's reason if the signal is aborted before a step begins. */
  createImage(options: SketchOptions, signal?: AbortSignal): Promise<Buffer>;
  /** The words of a prompt that it has no drawing for. They become flowers. */
  unknownWords(prompt: string): Promise<readonly string[]>;
  /** Also rejects with an UnreadableImageError if it cannot use an input. */
  createImageEdit(options: SketchEdit, signal?: AbortSignal): Promise<Buffer>;
}

/** The drawings are loaded for the first image and kept. */
export function createSketcher(): Sketcher {
  let loading: Promise<Sources> | undefined;
  const open = async (
    prompt: string,
    signal: AbortSignal | undefined,
  ): Promise<{ plan: PromptPlan; library: MotifLibrary }> => {
    loading ??= openSources();
    const { library, vocabulary } = await loading.catch((error: unknown) => {
      // The next image tries to read the files again.
      loading = undefined;
      throw error;
    });
    signal?.throwIfAborted();
    return { plan: parsePrompt(prompt, vocabulary), library };
  };
  return {
    async createImage(options, signal) {
      signal?.throwIfAborted();
      checkOptions(options);
      return createImage(options, { ...(await open(options.prompt, signal)), look: options });
    },
    unknownWords: async (prompt) => (await open(prompt, undefined)).plan.unknown,
    async createImageEdit(options, signal) {
      signal?.throwIfAborted();
      checkOptions(options);
      return createImageEdit(options, {
        ...(await open(options.prompt, signal)),
        ...(signal === undefined ? {} : { signal }),
      });
    },
  };
}

interface Sources {
  readonly library: MotifLibrary;
  readonly vocabulary: Vocabulary;
}

async function openSources(): Promise<Sources> {
  const library = await readMotifLibrary();
  return { library, vocabulary: createVocabulary(library.motifs.keys(), library.emoji) };
}

/** sharp renders on its own threads. Only the SVG is written on this one. */
async function createImage(options: SketchOptions, composition: Composition): Promise<Buffer> {
  const isTransparent = options.background === "transparent";
  const drawing = Buffer.from(isTransparent ? composeSticker(composition) : composeScene(composition));
  if (options.format === "svg") return drawing;
  return encode(isTransparent ? sharp(drawing) : sharp(drawing).removeAlpha(), options);
}
