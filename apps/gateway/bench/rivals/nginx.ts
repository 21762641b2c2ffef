import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, startProgram, waitUntilListening } from "../processes.js";
import type { AbsentRival, Rival } from "./rival.js";

/** A proxy in C that checks nothing. It takes part if it is installed. */
export function findNginx(): Rival | AbsentRival {
  const shown = spawnSync("nginx", ["-v"], { encoding: "utf8" });
  const version = /nginx\/(\S+)/.exec(shown.stderr ?? "")?.[1];
  if (version === undefined) return { name: "nginx", reason: "it is not installed" };
  return {
    name: "nginx",
    isNative: true,
    description: `nginx ${version}, one process, keep-alive to the upstream`,
    headers: () => ({}),
    start: async ({ upstreamPort, folder: runFolder, cores }) => {
      const port = await freePort();
      const folder = join(runFolder, "nginx");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "nginx.conf"), configuration(port, upstreamPort));
      const child = startProgram({
        command: "nginx",
        arguments: ["-p", folder, "-c", "nginx.conf", "-e", "stderr"],
        cores,
      });
      await waitUntilListening(port, child);
      return { child, port };
    },
  };
}

/** A default build writes below its own prefix. Here every path is relative to the folder of the run. */
function configuration(port: number, upstreamPort: number): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${name};`)
    .join(" ");
  return `daemon off; master_process off; pid nginx.pid; error_log stderr error;
events { worker_connections 8192; }
http {
  access_log off; ${temporary}
  client_max_body_size 0; keepalive_requests 100000000;
  upstream fake { server 127.0.0.1:${upstreamPort}; keepalive 256; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://fake; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_request_buffering off; proxy_max_temp_file_size 0;
    }
  }
}
`;
}
