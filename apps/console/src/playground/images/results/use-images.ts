import { unwrap } from "@model-gateway/client";
import { useEffect, useRef, useState } from "react";
import { createImages, type ImageOrder } from "../../../operations/createImage.js";
import type { ResponseFacts } from "../../../operations/response-facts.js";
import { useSignedIn } from "../../../session/session-context.js";
import { type OpenedImage, openBase64, openImage } from "../opened-image.js";

/** An image on the strip, finished or not. */
export interface Shown {
  readonly id: number;
  readonly image: OpenedImage;
  readonly isFinished: boolean;
  /** Milliseconds after the request. */
  readonly afterMs: number;
}

export interface Run {
  readonly shown: readonly Shown[];
  readonly facts: ResponseFacts | undefined;
  readonly error: Error | undefined;
  readonly isRunning: boolean;
  readonly wasStopped: boolean;
}

const nothing: Run = { shown: [], facts: undefined, error: undefined, isRunning: false, wasStopped: false };

/** Runs one order at a time. Every image on the way stays on the strip. */
export function useImages() {
  const { client } = useSignedIn();
  const [run, setRun] = useState(nothing);
  const stopper = useRef<AbortController>(undefined);
  // Leaving the page stops its request.
  useEffect(() => () => stopper.current?.abort(), []);

  const start = async (order: ImageOrder): Promise<void> => {
    const stop = new AbortController();
    stopper.current?.abort();
    stopper.current = stop;
    setRun({ ...nothing, isRunning: true });
    const startedAt = performance.now();
    const change = (update: (run: Run) => Partial<Run>) => {
      if (stopper.current === stop) setRun((current) => ({ ...current, ...update(current) }));
    };
    try {
      for await (const news of createImages(client, order, stop.signal)) {
        if (news.type === "facts") {
          change(() => ({ facts: news.facts }));
          continue;
        }
        const image =
          news.type === "link"
            ? await openImage(unwrap(await client.retrieveImageFile(news.url)))
            : await openBase64(news.base64);
        const afterMs = performance.now() - startedAt;
        change(({ shown }) => ({
          shown: [...shown, { id: shown.length, image, isFinished: news.type !== "partial", afterMs }],
        }));
      }
    } catch (error) {
      if (stop.signal.aborted) change(() => ({ wasStopped: true }));
      else change(() => ({ error: error instanceof Error ? error : new Error(String(error)) }));
    }
    change(() => ({ isRunning: false }));
  };

  return { run, start, stop: () => stopper.current?.abort() };
}
