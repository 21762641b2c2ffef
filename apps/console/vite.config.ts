import { defineConfig } from "vite";

export default defineConfig({
  // Files are named relative to the page: it works behind any path prefix of a proxy.
  base: "./",
  build: {
    target: "es2023",
    // The policy of the page allows no inline script and no data URL.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    // React Query marks its files for servers that render React. Here they all run in the browser.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
});
