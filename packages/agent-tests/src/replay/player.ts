import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { readBody, reject, rejectHandshake, startLoopbackServer } from './loopback-server.js'
import { playSession } from './play-session.js'
import { type Recording, readRecording, wireForm } from './recorded-line.js'
import { RecordedScope, readScopedPath, scopedAddress } from './scope.js'

export interface PlayerOptions {
  /** The folder of the recorder's files. */
  readonly directory: string
  /** How long the client may take for its next recorded step. The default is 10 seconds. */
  readonly patienceMilliseconds?: number
}

export interface Player {
  readonly url: string
  /** Returns the baseUrl of a connection that plays this scope's recording once, from the start. */
  baseUrlFor(scope: string): string
  /** Returns the differences between the clients and the recording, as text. */
  problems(): readonly string[]
  close(): Promise<void>
}

/** Starts a provider on a loopback port that plays a recording. */
export async function startPlayer({
  directory,
  patienceMilliseconds = 10_000,
}: PlayerOptions): Promise<Player> {
  const problems: string[] = []
  const scopes = new Map<string, Promise<RecordedScope>>()
  const scopeOf = (scope: string) => {
    const loaded = scopes.get(scope) ?? loadScope(join(directory, scope))
    scopes.set(scope, loaded)
    return loaded
  }

  const server = await startLoopbackServer({
    async request(request, response) {
      const asked = readScopedPath(request.url)
      if (asked === null) return reject(response, 404, 'This address names no recording.')
      const body = await readBody(request)
      const { scope, path } = asked
      const call = `${request.method} ${path}`
      const recording = (await scopeOf(scope)).takeRequest(call, body?.toString('utf8') ?? '')
      if (recording !== null) return playRequest(recording, response, patienceMilliseconds)
      problems.push(`${scope}: ${call} was sent, and the recording has no more of it.`)
      reject(response, 400, `The recording ${scope} has no further ${call}.`)
    },
    async upgrade(request, socket, head) {
      const asked = readScopedPath(request.url)
      if (asked === null) return rejectHandshake(socket, 404)
      const recording = (await scopeOf(asked.scope)).takeSession()
      if (recording === null) {
        problems.push(`${asked.scope}: a session was begun, and the recording has no more of them.`)
        return rejectHandshake(socket, 404)
      }
      const rejection = recording.lines.find((line) => line.kind === 'status')
      if (rejection !== undefined) return rejectHandshake(socket, rejection.status)
      server.sockets.handleUpgrade(request, socket, head, (client) =>
        playSession({
          client,
          lines: recording.lines,
          patienceMilliseconds,
          onProblem: (problem) => problems.push(`${asked.scope}: ${problem}`),
        }),
      )
    },
  })

  return {
    url: server.origin,
    baseUrlFor: (scope) => scopedAddress(server.origin, scope),
    problems: () => [...problems],
    close: () => server.close(),
  }
}

/** Returns the recordings of a scope in the order of their start, or none if the folder does not exist. */
async function loadScope(folder: string): Promise<RecordedScope> {
  const names = await readdir(folder).catch((): string[] => [])
  const recordings: Recording[] = []
  for (const name of names.filter((each) => each.endsWith('.jsonl')).sort())
    recordings.push(readRecording(await readFile(join(folder, name), 'utf8')))
  return new RecordedScope(recordings)
}

/** Answers a request with the recorded answer, piece by piece, without the pauses. */
async function playRequest(
  { lines }: Recording,
  response: ServerResponse,
  patienceMilliseconds: number,
): Promise<void> {
  for (const line of lines) {
    if (line.from === 'client' && line.kind !== 'end') continue
    if (line.kind === 'status') response.writeHead(line.status, line.headers)
    const piece = wireForm(line)
    // Waits until each piece is sent, so that two pieces do not arrive as one.
    if (piece !== null) await new Promise((sent) => response.write(piece, sent))
    if (line.kind !== 'end') continue
    if (line.from === 'provider' && line.isWhole) return void response.end()
    // In the recording the client left here. Waits until it leaves again, up to the limit.
    if (line.from === 'client' && !response.destroyed)
      await once(response, 'close', { signal: AbortSignal.timeout(patienceMilliseconds) }).catch(
        () => undefined,
      )
  }
  response.destroy()
}
