import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { endChild, keepChild } from '../processes/kept-child.js'
import { makeTemporaryDirectory } from '../processes/temporary-directory.js'
import { type Api, type Credentials, makeApi } from './api.js'

const programOf = (folder: 'dist' | 'bundle') =>
  fileURLToPath(new URL(`../../../../apps/server/${folder}/main.js`, import.meta.url))
const readyLine = /API +(http:\S+)\/api\/v1/
const inspectorLine = /Debugger listening on (ws:\S+)/
/** The number of output characters to keep. */
const keptCharacters = 20_000

export interface ParleyOptions {
  /** Settings in addition to those of every bench. */
  readonly env?: Readonly<Record<string, string>>
  readonly nodeOptions?: readonly string[]
  /**
   * Whether to run the bundle, as `npm start` does. It loads in a third of the time. The default is the
   * compiled files.
   */
  readonly isBundled?: boolean
  /** The entry file of another build. */
  readonly program?: URL
  /** The folder for the data, which is then kept. The default is a temporary folder. */
  readonly dataDir?: string
  /** The credentials of the first organization. The default is new ones. */
  readonly credentials?: Credentials
}

export interface ParleyService {
  readonly url: string
  readonly pid: number
  readonly api: Api
  readonly credentials: Credentials
  /** The address of the inspector, or null if it is off. */
  readonly inspectorUrl: string | null
  /** How the process exited, or null while it runs. */
  ending(): string | null
  /** The end of its output. */
  output(): string
  stop(): Promise<void>
}

/** Starts the service like an operator: as a separate process, with the embedded database, on a free port. */
export async function startParley({
  env = {},
  nodeOptions = [],
  isBundled = false,
  program,
  dataDir,
  credentials = makeCredentials(),
}: ParleyOptions): Promise<ParleyService> {
  const temporary = dataDir === undefined ? await makeTemporaryDirectory('data') : null
  const started = program === undefined ? programOf(isBundled ? 'bundle' : 'dist') : fileURLToPath(program)
  const child = keepChild(
    spawn(process.execPath, [...nodeOptions, started], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        PARLEY_DATA_DIR: dataDir ?? temporary?.path,
        PARLEY_BOOTSTRAP_ORG_ID: credentials.organizationId,
        PARLEY_BOOTSTRAP_API_KEY: credentials.apiKey,
        PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
        PARLEY_RATE_LIMIT_PER_MINUTE: '1000000',
        PARLEY_DRAIN_SECONDS: '1',
        ...env,
      },
    }),
  )
  let output = ''
  const read = (chunk: string) => {
    output = (output + chunk).slice(-keptCharacters)
  }
  child.stdout.setEncoding('utf8').on('data', read)
  child.stderr.setEncoding('utf8').on('data', read)
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', () => readyLine.test(output) && resolve())
    child.once('exit', () => reject(new Error(`The service did not start:\n${output}`)))
  })
  const url = readyLine.exec(output)?.[1] ?? ''
  const inspectorUrl = inspectorLine.exec(output)?.[1] ?? null
  return {
    url,
    pid: child.pid ?? 0,
    api: makeApi(url, credentials),
    credentials,
    inspectorUrl,
    ending: () =>
      child.exitCode === null && child.signalCode === null
        ? null
        : `ended with ${child.signalCode ?? child.exitCode}`,
    output: () => output,
    async stop() {
      await endChild(child)
      await temporary?.remove()
    },
  }
}

export function makeCredentials(): Credentials {
  return {
    organizationId: randomUUID(),
    apiKey: `prl_${randomBytes(4).toString('hex')}_${randomBytes(32).toString('base64url')}`,
  }
}
