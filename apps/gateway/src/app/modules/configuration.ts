import { createConfigurationChanges } from "../configuration-changes.js";
import { noteTrials } from "../note-trials.js";
import { Reloads } from "../reloads.js";
import { createUpstreamTrials } from "../try-upstream.js";
import type { Core } from "./core.js";
import { defineModule } from "./module.js";

/** The configuration for operators: its state, and changes of the file. */
export const configuration = defineModule({
  name: "configuration",
  open: (needs: Core) => {
    const { configurationFile: file, reloadConfiguration, current, events } = needs;
    const shared = { ...needs, worker: needs.worker.slot, now: Date.now };
    const reloads = new Reloads({ ...shared, whyNotEditable: (config) => file.whyNotEditable(config) });
    return {
      services: {
        reloads,
        configuration: () => reloads.status(current.config),
        changeConfiguration: createConfigurationChanges({
          ...shared,
          file,
          config: () => current.config,
          reload: reloadConfiguration,
        }),
      },
      adopt: ({ isReload }) => {
        if (isReload) reloads.accepted();
        // Streams of the old pipeline would keep its upstreams open.
        events.feed.end();
      },
    };
  },
});

/** Trials of upstreams, which may not be in the configuration. */
export const trials = defineModule({
  name: "trials",
  open: ({ configurationFile, providerTools, scheduler, current, ...needs }: Core) => ({
    services: {
      tryUpstream: createUpstreamTrials({
        ...needs,
        read: (request, learn) => configurationFile.readTrial(request, learn),
        isAllowed: () => current.config.allowsChanges,
        catalogue: () => current.config.catalogue,
        tools: providerTools,
        noteTrial: noteTrials(current, scheduler),
      }),
    },
  }),
});
