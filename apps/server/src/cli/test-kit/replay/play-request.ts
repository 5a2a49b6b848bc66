import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type Recording, wireForm } from './recorded-line.js'

/** Answers a request as it was answered then, piece by piece, without the pauses. */
export async function playRequest(
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
