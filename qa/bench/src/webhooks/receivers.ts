import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One delivery that a receiver accepted. */
export interface Taken {
  readonly taskId: string
  readonly at: number
}

export interface Receivers {
  /** Returns the URL of a receiver. */
  urlOf(index: number): string
  takenBy(index: number): readonly Taken[]
  /** Returns the number of requests to the receivers that hang. */
  hangingCount(): number
  close(): void
}

/**
 * Starts receivers of webhooks. The first ones accept every request and never answer. The others answer
 * immediately.
 */
export async function startReceivers(hanging: number): Promise<Receivers> {
  const taken = new Map<number, Taken[]>()
  let hangingCount = 0
  const server = createServer(async (request, response) => {
    const at = performance.now()
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const index = Number(request.url?.slice(1))
    if (index < hanging) {
      hangingCount += 1
      return
    }
    const { data } = JSON.parse(text) as { readonly data: { readonly id: string } }
    const before = taken.get(index)
    if (before === undefined) taken.set(index, [{ taskId: data.id, at }])
    else before.push({ taskId: data.id, at })
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (index) => `http://127.0.0.1:${port}/${index}`,
    takenBy: (index) => taken.get(index) ?? [],
    hangingCount: () => hangingCount,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
