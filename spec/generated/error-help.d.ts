// Written by `pnpm generate`. Do not edit.

import type { errorTable } from "./errors.js";

/** The pages of the site. Backticks mark code. */
export declare const errorHelp: {
  readonly [code in keyof typeof errorTable]: {
    /** The cause. */
    readonly meaning: string;
    /** The text of the response, with names in braces, where several places have the same. */
    readonly message?: string;
  };
};

/** The action to take after each error. The console shows nothing else of the texts, and so weighs less. */
export declare const errorRemedies: { readonly [code in keyof typeof errorTable]: string };
