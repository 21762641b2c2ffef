import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, startProgram } from "../processes.js";
import { listening } from "./listening.js";
import type { Absent, Rival } from "./rival.js";

/** The floor: a proxy in C that looks at nothing. It takes part where it is installed. */
export function findNginx(): Rival | Absent {
  const asked = spawnSync("nginx", ["-v"], { encoding: "utf8" });
  const version = /nginx\/(\S+)/.exec(asked.stderr ?? "")?.[1];
  if (version === undefined) return { name: "nginx", reason: "it is not installed" };
  return {
    name: "nginx",
    isCompiled: true,
    description: `nginx ${version}, one process, keep-alive to the upstream`,
    headers: () => ({}),
    start: async ({ upstreamPort, folder, cores }) => {
      const port = await freePort();
      const place = join(folder, "nginx");
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, "nginx.conf"), configuration(port, upstreamPort));
      const child = startProgram({
        command: "nginx",
        arguments: ["-p", place, "-c", "nginx.conf", "-e", "stderr"],
        ...(cores === undefined ? {} : { cores }),
      });
      await listening(port, child);
      return { child, port };
    },
  };
}

/** Everything a default build would put below its own prefix goes to the run's folder. */
function configuration(port: number, upstreamPort: number): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${name};`)
    .join(" ");
  return `daemon off; master_process off; pid nginx.pid; error_log stderr error;
events { worker_connections 2048; }
http {
  access_log off; ${temporary}
  client_max_body_size 0; keepalive_requests 100000000;
  upstream fake { server 127.0.0.1:${upstreamPort}; keepalive 256; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://fake; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_request_buffering off; proxy_max_temp_file_size 0;
    }
  }
}
`;
}
