import { type LiveChange, LiveEvent } from '@parley/contract'
import { expect } from 'vitest'
import { closeAfterwards } from '../close-afterwards.js'

export interface ReceivedLiveEvent {
  readonly id: string | null
  readonly event: LiveEvent
}

/** Reads a live stream as a page does: over a real connection that can be cut at any point. */
export interface LiveReader {
  readonly status: number
  /** All text so far. */
  readonly received: readonly ReceivedLiveEvent[]
  /** The reported changes so far, as `created Task`, each once. */
  told(): string[]
  /** The last cursor that arrived, with or without an event. */
  cursor(): string
  /** The number of cursors that arrived without an event. */
  heartbeats(): number
  /**
   * Resolves with the first matching event, also if it arrived before. Rejects if the stream ends without
   * one.
   */
  waitFor(fits: (event: LiveEvent) => boolean): Promise<ReceivedLiveEvent>
  /** The same for a change of this resource. */
  waitForChange(wanted: Partial<LiveChange>): Promise<LiveChange>
  /** Resolves when the service has ended the stream. */
  readonly ended: Promise<void>
  cut(): Promise<void>
}

async function openLiveStream(url: string, headers: Readonly<Record<string, string>>): Promise<LiveReader> {
  const connection = new AbortController()
  const response = await fetch(`${url}/api/v1/Event`, { headers, signal: connection.signal })
  const received: ReceivedLiveEvent[] = []
  const waiting = new Set<() => void>()
  let cursor = ''
  let heartbeats = 0
  let isOver = false
  const wake = () => {
    for (const check of [...waiting]) check()
  }
  const ended = readBlocks(response, (id, data) => {
    cursor = id ?? cursor
    if (id !== undefined && data === undefined) heartbeats += 1
    if (data === undefined) return wake()
    received.push({ id: id ?? null, event: LiveEvent.parse(JSON.parse(data)) })
    wake()
  }).finally(() => {
    isOver = true
    wake()
  })
  ended.catch(() => undefined)
  const waitFor = (fits: (event: LiveEvent) => boolean) =>
    new Promise<ReceivedLiveEvent>((resolve, reject) => {
      const check = () => {
        const found = received.find(({ event }) => fits(event))
        if (found === undefined && !isOver) return
        waiting.delete(check)
        if (found !== undefined) resolve(found)
        else reject(new Error('The stream ended without the expected event.'))
      }
      waiting.add(check)
      check()
    })
  const cut = closeAfterwards(async () => {
    connection.abort()
    await ended.catch(() => undefined)
  })
  return {
    status: response.status,
    received,
    told: () => [
      ...new Set(
        received.flatMap(({ event }) =>
          event.type === 'changed' ? [`${event.data.change} ${event.data.resource}`] : [],
        ),
      ),
    ],
    cursor: () => cursor,
    heartbeats: () => heartbeats,
    waitFor,
    async waitForChange(wanted) {
      const fits = (event: LiveEvent) =>
        event.type === 'changed' &&
        Object.entries(wanted).every(([name, value]) => Reflect.get(event.data, name) === value)
      const { event } = await waitFor(fits)
      if (event.type !== 'changed') throw new Error('The event must be of type changed.')
      return event.data
    },
    ended,
    cut,
  }
}

/** Opens an accepted stream and waits for its `ready`. */
export async function openReadyStream(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<LiveReader> {
  const reader = await openLiveStream(url, headers)
  expect(reader.status).toBe(200)
  await reader.waitFor(({ type }) => type === 'ready')
  expect(reader.received[0]?.event.type).toBe('ready')
  return reader
}

async function readBlocks(
  response: Response,
  onBlock: (id: string | undefined, data: string | undefined) => void,
): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) onBlock(/^id: (.*)$/m.exec(block)?.[1], /^data: (.*)$/m.exec(block)?.[1])
  }
}
