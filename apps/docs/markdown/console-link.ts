/** A link from the site to the console, which stands beside it: the gateway serves both. */
export const consoleLink = /^(?:\.\.\/)+console\/(.*)$/;
