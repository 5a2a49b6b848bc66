import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { readBody, refuse, refuseHandshake, startLoopbackServer } from './loopback-server.js'
import { playSession } from './play-session.js'
import { type Recording, readRecording, wireForm } from './recorded-line.js'
import { RecordedScope, readScopedPath, scopedAddress } from './scope.js'

export interface PlayerOptions {
  /** Where a recorder has put its files. */
  readonly directory: string
  /** How long a client may take for what it did in the recording: 10 seconds, unless said otherwise. */
  readonly patienceMilliseconds?: number
}

export interface Player {
  readonly url: string
  /** The baseUrl of a connection that gets to hear what was recorded for this test, from its beginning, once. */
  baseUrlFor(scope: string): string
  /** Where somebody did something else than in the recording, in words. */
  problems(): readonly string[]
  close(): Promise<void>
}

/** A provider on a loopback port that says what was recorded, with nobody behind it. */
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
      if (asked === null) return refuse(response, 404, 'This address names no recording.')
      const body = await readBody(request)
      const { scope, path } = asked
      const call = `${request.method} ${path}`
      const recording = (await scopeOf(scope)).takeRequest(call, body?.toString('utf8') ?? '')
      if (recording !== null) return playRequest(recording, response, patienceMilliseconds)
      problems.push(`${scope}: ${call} was sent, and the recording has no more of it.`)
      refuse(response, 400, `The recording ${scope} has no further ${call}.`)
    },
    async upgrade(request, socket, head) {
      const asked = readScopedPath(request.url)
      if (asked === null) return refuseHandshake(socket, 404)
      const recording = (await scopeOf(asked.scope)).takeSession()
      if (recording === null) {
        problems.push(`${asked.scope}: a session was begun, and the recording has no more of them.`)
        return refuseHandshake(socket, 404)
      }
      const refusal = recording.lines.find((line) => line.kind === 'status')
      if (refusal !== undefined) return refuseHandshake(socket, refusal.status)
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

/** Everything that was recorded for a test, in the order in which it began; nothing where there is no such folder. */
async function loadScope(folder: string): Promise<RecordedScope> {
  const names = await readdir(folder).catch((): string[] => [])
  const recordings: Recording[] = []
  for (const name of names.filter((each) => each.endsWith('.jsonl')).sort())
    recordings.push(readRecording(await readFile(join(folder, name), 'utf8')))
  return new RecordedScope(recordings)
}

/** Answers a request as it was answered then, piece by piece, without the pauses. */
async function playRequest(
  { lines }: Recording,
  response: ServerResponse,
  patienceMilliseconds: number,
): Promise<void> {
  for (const line of lines) {
    if (line.from === 'client' && line.kind !== 'end') continue
    if (line.kind === 'status') response.writeHead(line.status, line.headers)
    const piece = wireForm(line)
    // Each on its way before the next, or two would arrive as one.
    if (piece !== null) await new Promise((sent) => response.write(piece, sent))
    if (line.kind !== 'end') continue
    if (line.from === 'provider' && line.isWhole) return void response.end()
    // The client had heard enough by then: it leaves now as well, or waits for what nobody recorded.
    if (line.from === 'client' && !response.destroyed)
      await once(response, 'close', { signal: AbortSignal.timeout(patienceMilliseconds) }).catch(
        () => undefined,
      )
  }
  response.destroy()
}
