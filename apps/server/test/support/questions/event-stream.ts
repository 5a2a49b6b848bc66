import type { TurnEvent } from '@parley/contract'

export interface ReceivedEvent {
  readonly id: number
  readonly event: TurnEvent
}

/** Reads a stream of events as a caller does: over a real connection that can be cut at any point. */
export interface EventStream {
  readonly response: Response
  /** All events so far. */
  readonly received: readonly ReceivedEvent[]
  /** Resolves with the first event of this type, also if it arrived before. */
  waitFor<Type extends TurnEvent['type']>(type: Type): Promise<Extract<TurnEvent, { type: Type }>>
  /** Resolves when this number of events has arrived or the stream has ended. */
  waitForCount(count: number): Promise<void>
  /** Resolves when the service has ended the stream or it was cut. */
  readonly ended: Promise<void>
  /** Cuts the connection. */
  cut(): void
}

export async function openStream(url: string, init: RequestInit): Promise<EventStream> {
  const connection = new AbortController()
  const response = await fetch(url, { ...init, signal: connection.signal })
  const received: ReceivedEvent[] = []
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const check of [...waiting]) check()
  }
  let isOver = false
  // A pending read of the body does not always notice that its connection was cut.
  const wasCut = new Promise<void>((resolve) => {
    connection.signal.addEventListener('abort', () => resolve())
  })
  const reading = read(response, (event) => {
    if (connection.signal.aborted) return
    received.push(event)
    wake()
  })
  const ended = Promise.race([reading, wasCut]).finally(() => {
    isOver = true
    wake()
  })
  // Only callers that wait for the end of a broken stream get its error.
  ended.catch(() => undefined)
  const until = <Result>(find: () => Result | undefined, what: string): Promise<Result> =>
    new Promise((resolve, reject) => {
      const check = () => {
        const found = find()
        if (found !== undefined) resolve(found)
        else if (isOver) reject(new Error(`The stream ended without ${what}.`))
        else return
        waiting.delete(check)
      }
      waiting.add(check)
      check()
    })
  return {
    response,
    received,
    waitFor: <Type extends TurnEvent['type']>(type: Type) =>
      until(
        () =>
          received.map(({ event }) => event).find((event) => event.type === type) as
            | Extract<TurnEvent, { type: Type }>
            | undefined,
        type,
      ),
    waitForCount: (count) =>
      until(() => (received.length >= count || isOver ? true : undefined), `${count} events`).then(
        () => undefined,
      ),
    ended,
    cut: () => connection.abort(),
  }
}

async function read(response: Response, onEvent: (event: ReceivedEvent) => void): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const id = /^id: (.*)$/m.exec(block)?.[1]
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data !== undefined) onEvent({ id: Number(id), event: JSON.parse(data) as TurnEvent })
      }
    }
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error
  }
}
