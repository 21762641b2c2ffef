// Locks the data folder that is named, says so, and stays until it is stopped. Of the build, as a gateway is.
// What is built is not there yet when this is checked.
const { lockDataFolder } = await import(
  new URL("../../dist/storage/data-folder-lock.js", import.meta.url).href
);

lockDataFolder(process.argv[2] ?? "");
process.stdout.write("locked\n");
setInterval(() => undefined, 60_000);
