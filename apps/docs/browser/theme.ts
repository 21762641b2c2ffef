/** Runs before the page is drawn, so that a chosen theme never flashes. The console keeps its theme by the same name. */
const chosen = localStorage.getItem("model-gateway.theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
