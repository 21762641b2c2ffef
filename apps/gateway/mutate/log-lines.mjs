/** A plugin of StrykerJS that leaves log lines as they are. */
export const strykerPlugins = [{ kind: "Ignore", name: "log-lines", value: { shouldIgnore } }];

/**
 * @param {{ isCallExpression(): boolean; get(key: "callee"): { toString(): string } }} path A path of Babel.
 * @returns {string | undefined} The reason.
 */
function shouldIgnore(path) {
  const isLogLine = path.isCallExpression() && /\blog(\.\w+|\[\w+\])$/.test(path.get("callee").toString());
  return isLogLine ? "a log line" : undefined;
}
