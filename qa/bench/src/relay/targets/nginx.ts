import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FoundProgram } from '@parley/stage/processes/find-program'
import { endChild, keepChild } from '@parley/stage/processes/kept-child'
import { childrenOf } from '@parley/stage/processes/process-usage'
import { makeTemporaryDirectory } from '@parley/stage/processes/temporary-directory'
import type { Target } from './target.js'

/**
 * nginx in front of the provider: a relay in C that does not parse frames. With the default buffers, and
 * with those of `deploy/nginx`, a frame of 100 ms needs two buffers, and so two reads and two writes. With
 * larger buffers it needs one.
 */
export const makeNginxes = (program: FoundProgram): readonly Target[] => [
  makeNginx(program, { name: 'nginx', buffers: '' }),
  makeNginx(program, {
    name: 'nginx, 16 KB buffers',
    buffers: 'proxy_buffer_size 16k; proxy_buffers 8 16k;',
  }),
]

interface Variant {
  readonly name: string
  /** Lines of the configuration. */
  readonly buffers: string
}

const makeNginx = ({ environment }: FoundProgram, { name, buffers }: Variant): Target => ({
  name,
  async start(providerUrl) {
    const directory = await makeTemporaryDirectory('nginx')
    const port = await freePort()
    await writeFile(join(directory.path, 'nginx.conf'), configuration(port, new URL(providerUrl), buffers))
    // SIGTERM also ends the workers. SIGKILL would leave them running.
    const child = keepChild(
      spawn('nginx', ['-p', directory.path, '-c', 'nginx.conf', '-e', 'stderr'], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, ...environment },
      }),
      'SIGTERM',
    )
    const master = child.pid ?? 0
    await untilReady(port, master)
    return {
      pids: [master, ...childrenOf(master)],
      sessionUrl: async () => `ws://127.0.0.1:${port}/`,
      async stop() {
        await endChild(child)
        await directory.remove()
      },
    }
  },
})

/** Uses one worker, because the other relays have one process. */
const configuration = (port: number, provider: URL, buffers: string) => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
worker_rlimit_nofile 16384;
pid nginx.pid;
error_log stderr error;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  server {
    listen 127.0.0.1:${port} backlog=1024;
    location / {
      proxy_pass ${provider.protocol}//${provider.host}${provider.pathname}/realtime;
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection upgrade;
      ${buffers}
      proxy_read_timeout 300s;
      proxy_send_timeout 300s;
    }
  }
}
`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => void server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => void server.close(resolve))
  return port
}

/**
 * Waits for the worker, because nginx listens before the worker runs, and the worker's processor time is
 * measured.
 */
async function untilReady(port: number, master: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isOpen && childrenOf(master).length > 0) return
    await sleep(50)
  }
  throw new Error('nginx did not start.')
}
