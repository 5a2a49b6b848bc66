import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endChild, keepChild } from '../processes/kept-child.js'
import { type Api, makeApi } from './api.js'

const program = fileURLToPath(new URL('../../../server/dist/main.js', import.meta.url))
const readyLine = /API +(http:\S+)\/api\/v1/
const inspectorLine = /Debugger listening on (ws:\S+)/

export interface ParleyOptions {
  /** Settings on top of those of every bench. */
  readonly env?: Readonly<Record<string, string>>
  readonly nodeOptions?: readonly string[]
}

export interface ParleyService {
  readonly url: string
  readonly pid: number
  readonly api: Api
  /** Where its inspector listens, if it was asked for one. */
  readonly inspectorUrl: string | null
  stop(): Promise<void>
}

/** The service as an operator runs it: a process of its own, with the embedded database, on a free port. */
export async function startParley({ env = {}, nodeOptions = [] }: ParleyOptions): Promise<ParleyService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const credentials = {
    organizationId: randomUUID(),
    apiKey: `prl_${randomBytes(4).toString('hex')}_${randomBytes(32).toString('base64url')}`,
  }
  const child = keepChild(
    spawn(process.execPath, [...nodeOptions, program], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        PARLEY_DATA_DIR: dataDir,
        PARLEY_BOOTSTRAP_ORG_ID: credentials.organizationId,
        PARLEY_BOOTSTRAP_API_KEY: credentials.apiKey,
        PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
        PARLEY_RATE_LIMIT_PER_MINUTE: '1000000',
        PARLEY_DRAIN_SECONDS: '1',
        ...env,
      },
    }),
  )
  const output = await new Promise<string>((resolve, reject) => {
    let text = ''
    const read = (chunk: string) => {
      text += chunk
      if (readyLine.test(text)) resolve(text)
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.once('exit', () => reject(new Error(`The service did not start:\n${text}`)))
  })
  for (const stream of [child.stdout, child.stderr]) stream.removeAllListeners('data').resume()
  const url = readyLine.exec(output)?.[1] ?? ''
  return {
    url,
    pid: child.pid ?? 0,
    api: makeApi(url, credentials),
    inspectorUrl: inspectorLine.exec(output)?.[1] ?? null,
    async stop() {
      await endChild(child)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
