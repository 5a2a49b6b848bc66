import type { IncomingMessage } from 'node:http'

/** A turn as its events describe it, over any number of streams. */
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

/** The maximum time to read one stream. A turn that never ends sends heartbeats forever. */
const readMilliseconds = 60_000

/**
 * Reads events until the stream ends, breaks or takes too long. Records a fault if the ids are not
 * consecutive.
 */
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
    // The stream broke. The caller resumes after the last event.
  } finally {
    clearTimeout(timer)
  }
}

function take(block: string, stream: TurnStream): void {
  const id = Number(/^id: ?(\d+)$/m.exec(block)?.[1] ?? Number.NaN)
  const data = /^data: ?(.*)$/m.exec(block)?.[1]
  // Blocks without an id or data are heartbeats.
  if (data === undefined || Number.isNaN(id)) return
  if (stream.end !== null) stream.faults.push(`has an event ${id} after its end`)
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
