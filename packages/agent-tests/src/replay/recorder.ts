import { ExchangeFiles } from './exchange-files.js'
import { reject, rejectHandshake, startLoopbackServer } from './loopback-server.js'
import { recordRequest } from './record-request.js'
import { recordSession } from './record-session.js'
import { readScopedPath, scopedAddress } from './scope.js'
import { type MakeConcealer, Scrubber } from './scrubber.js'

export interface RecorderOptions {
  /** The folder for the files. Each scope gets its own folder in it. */
  readonly directory: string
  readonly upstream: {
    /**
     * The base address of the provider's API, such as `https://api.openai.com/v1`. Keys are forwarded
     * unchanged.
     */
    readonly url: string
  }
  /** Secrets that must not be recorded. Keys that requests send to the provider are added automatically. */
  readonly secrets?: readonly string[]
  readonly conceal: MakeConcealer
}

export interface Recorder {
  readonly url: string
  /** Returns the baseUrl of a connection whose traffic is recorded in this scope. */
  baseUrlFor(scope: string): string
  /** Ends all exchanges. Resolves when all files are written. */
  close(): Promise<void>
}

/** Starts a server on a loopback port that forwards everything to a real provider and records it. */
export async function startRecorder({
  directory,
  upstream,
  secrets = [],
  conceal,
}: RecorderOptions): Promise<Recorder> {
  const scrubber = new Scrubber(conceal, secrets)
  const files = new ExchangeFiles(directory, scrubber)
  const upstreamUrl = upstream.url.replace(/\/+$/, '')
  const ends = new Set<() => void>()

  const server = await startLoopbackServer({
    async request(request, response) {
      const asked = readScopedPath(request.url)
      if (asked === null) return reject(response, 404, unscoped)
      scrubber.learn(request.headers)
      const { scope, path } = asked
      const file = files.begin(scope, { kind: 'request', method: request.method ?? 'GET', path })
      await recordRequest({ file, target: `${upstreamUrl}${path}`, ends }, request, response)
    },
    async upgrade(request, socket, head) {
      const asked = readScopedPath(request.url)
      if (asked === null) return rejectHandshake(socket, 404)
      scrubber.learn(request.headers)
      const { scope, path } = asked
      const file = files.begin(scope, { kind: 'session', path })
      const target = `${upstreamUrl.replace(/^http/, 'ws')}${path}`
      await recordSession({ file, target, ends, sockets: server.sockets }, request, socket, head)
    },
  })

  return {
    url: server.origin,
    baseUrlFor: (scope) => scopedAddress(server.origin, scope),
    async close() {
      for (const end of ends) end()
      await server.close()
      await files.written()
    },
  }
}

const unscoped = 'A recording needs a name in the address: /<name>/v1 before what is asked for.'
