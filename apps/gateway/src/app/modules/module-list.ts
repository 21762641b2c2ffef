import type { Config } from "@model-gateway/config/config";
import type { Module } from "./module.js";
import type { OpenModules } from "./open-modules.js";

/** A module whose needs are among some services. */
type ModuleFor<Services extends object, Given extends object> = Module<
  Services,
  Given,
  keyof Config,
  keyof Config
>;

interface Opening {
  readonly modules: OpenModules;
  readonly config: Config;
}

type OpenAll<Base extends object, Services extends object> = (
  base: Base,
  opening: Opening,
) => Promise<Services>;

/** Time for closing modules again when a later one could not be opened. */
const failedOpenMs = 1000;

/**
 * Modules in the order in which they open. A module that needs what no earlier one gives does not compile.
 *
 * @typeParam Base What there is before the first module.
 */
export class ModuleList<Base extends object, Services extends object> {
  /** Settings that are used once, when the process starts. */
  readonly restartSettings: readonly (keyof Config)[];
  readonly #openAll: OpenAll<Base, Services>;

  private constructor(restartSettings: readonly (keyof Config)[], openAll: OpenAll<Base, Services>) {
    this.restartSettings = [...new Set(restartSettings)];
    this.#openAll = openAll;
  }

  /** @param restartSettings Those of the process itself. */
  static of<Base extends object>(restartSettings: readonly (keyof Config)[] = []): ModuleList<Base, Base> {
    return new ModuleList(restartSettings, async (base) => base);
  }

  with<Given extends object>(module: ModuleFor<Services, Given>): ModuleList<Base, Services & Given> {
    return new ModuleList(this.#restartSettingsWith(module), async (base, opening) => {
      const services = await this.#openAll(base, opening);
      return { ...services, ...(await opening.modules.open(module, services, opening.config)) };
    });
  }

  /** Two modules that open at the same time. */
  withBoth<One extends object, Other extends object>(
    one: ModuleFor<Services, One>,
    other: ModuleFor<Services, Other>,
  ): ModuleList<Base, Services & One & Other> {
    return new ModuleList(this.#restartSettingsWith(one, other), async (base, opening) => {
      const services = await this.#openAll(base, opening);
      const { modules, config } = opening;
      const both = [modules.open(one, services, config), modules.open(other, services, config)] as const;
      // Before the first one is closed because the other one has failed.
      await Promise.allSettled(both);
      return { ...services, ...(await both[0]), ...(await both[1]) };
    });
  }

  /** Opens all modules. If one fails, those before it are closed again. */
  async open(base: Base, opening: Opening): Promise<Services> {
    try {
      return await this.#openAll(base, opening);
    } catch (failure) {
      await opening.modules.close(failedOpenMs);
      throw failure;
    }
  }

  #restartSettingsWith(...modules: readonly Pick<ModuleFor<never, object>, "settings">[]) {
    return [...this.restartSettings, ...modules.flatMap(({ settings }) => settings?.restart ?? [])];
  }
}

/** The services that a list of modules opens. */
export type ServicesOf<List extends { readonly open: (...opening: never) => Promise<object> }> = Awaited<
  ReturnType<List["open"]>
>;
