import { decodeEmbedding, unwrap } from "@model-gateway/client";
import type { ProbeVectors } from "@model-gateway/vector-check/spaces";
import { useMutation } from "@tanstack/react-query";
import { useSignedIn } from "../session/session-context.js";
import { nameTarget } from "./named-target.js";
import type { Schemas } from "./schemas.js";
import { useChange } from "./use-change.js";

/** Calls an upstream once. It need not be in the configuration. */
export function useTryUpstream() {
  return useChange((client, body: Schemas["TryUpstreamRequest"]) => client.tryUpstream(body), []);
}

/** A target that need not be in the configuration. */
export interface TargetToProbe {
  readonly upstream: Schemas["TryUpstreamRequest"]["upstream"];
  readonly name: string;
  readonly model: { readonly type: "embedding"; readonly name: string };
}

/** A target, and its vectors of the doctor's texts and images, or the reason why it has none. */
export interface ProbedTarget {
  readonly name: string;
  readonly vectors: ProbeVectors | undefined;
  readonly error: string | undefined;
}

/** Embeds the doctor's texts and images at several targets, one after the other: a gateway runs few trials at once. */
export function useProbeVectors() {
  const { client } = useSignedIn();
  return useMutation({
    mutationFn: async (targets: readonly TargetToProbe[]) => {
      const probed: ProbedTarget[] = [];
      for (const target of targets) {
        const name = nameTarget({ upstream: target.name, model: target.model.name });
        try {
          const { probe_vectors, probe_image_vectors, error } = unwrap(
            await client.tryUpstream({ ...target, probe_vectors: true }),
          );
          const texts = probe_vectors?.map(decodeEmbedding);
          const vectors = texts && { texts, images: probe_image_vectors?.map(decodeEmbedding) };
          probed.push({ name, vectors, error: error?.message });
        } catch (failure) {
          probed.push({ name, vectors: undefined, error: (failure as Error).message });
        }
      }
      return probed;
    },
  });
}
