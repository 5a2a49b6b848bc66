import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'

const program = fileURLToPath(new URL('../../../server/dist/main.js', import.meta.url))

export const organizationId = '019a0000-0000-7000-8000-00000000a11c'
export const apiKey = `prl_TestKey1_${'x'.repeat(43)}`

export interface ServiceProcess {
  readonly url: string
  /** Asks its API, as the person's backend would. */
  call(method: string, path: string, body?: object): Promise<unknown>
  stop(): Promise<void>
}

/** The real service on a free port, with the embedded database and the built-in engine. */
export async function startService(env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-talk-service-'))
  const child = spawn(process.execPath, [program], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      HOME: directory,
      PORT: '0',
      PARLEY_BOOTSTRAP_ORG_ID: organizationId,
      PARLEY_BOOTSTRAP_API_KEY: apiKey,
      ...env,
    },
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let written = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text
    })
  let hasEnded = false
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      hasEnded = true
      resolve()
    })
  })
  const address = await vi.waitUntil(
    () => (hasEnded ? 'ended' : /^ +API +(\S+)\/api\/v1/m.exec(written)?.[1]),
    { timeout: 50_000, interval: 20 },
  )
  if (address === 'ended') throw new Error(`The service did not start: ${written}`)

  return {
    url: address,
    async call(method, path, body) {
      const headers = {
        'X-Org-Id': organizationId,
        'X-Api-Key': apiKey,
        ...(body && { 'Content-Type': 'application/json' }),
      }
      const request = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const reply = await fetch(`${address}/api/v1${path}`, request)
      if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`)
      return reply.status === 204 ? null : await reply.json()
    },
    async stop() {
      kill()
      await ended
      process.removeListener('exit', kill)
      await rm(directory, { recursive: true, force: true })
    },
  }
}
