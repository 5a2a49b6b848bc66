import type { IncomingMessage } from 'node:http'

/** A turn as its events tell it, through however many streams. */
export interface TurnStream {
  turnId: string
  conversationId: string
  lastId: number
  text: string
  end: 'completed' | 'error' | null
  readonly faults: string[]
}

interface TurnEvent {
  readonly type: string
  readonly data: { readonly turnId?: string; readonly conversationId?: string; readonly delta?: string }
}

/** How long a stream is read at a time: one whose turn never ends has heartbeats for ever. */
const readMilliseconds = 60_000

/** Reads events until the stream ends, breaks or has lasted long enough; ids must be the next ones. */
export async function readEvents(response: IncomingMessage, stream: TurnStream): Promise<void> {
  let waiting = ''
  const timer = setTimeout(() => response.destroy(), readMilliseconds)
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      waiting += chunk
      const blocks = waiting.split('\n\n')
      waiting = blocks.pop() ?? ''
      for (const block of blocks) take(block, stream)
    }
  } catch {
    // It broke; whoever reads goes on after the last event.
  } finally {
    clearTimeout(timer)
  }
}

function take(block: string, stream: TurnStream): void {
  const id = Number(/^id: ?(\d+)$/m.exec(block)?.[1] ?? Number.NaN)
  const data = /^data: ?(.*)$/m.exec(block)?.[1]
  // A heartbeat.
  if (data === undefined || Number.isNaN(id)) return
  if (stream.end !== null) stream.faults.push(`has an event ${id} after its last one`)
  if (id !== stream.lastId + 1) stream.faults.push(`has event ${id} after ${stream.lastId}`)
  stream.lastId = id
  const event = JSON.parse(data) as TurnEvent
  if (event.type === 'turn.started') {
    stream.turnId = event.data.turnId ?? ''
    stream.conversationId = event.data.conversationId ?? ''
  }
  if (event.type === 'response.text.delta') stream.text += event.data.delta ?? ''
  if (event.type === 'response.completed') stream.end = 'completed'
  if (event.type === 'error') stream.end = 'error'
}
