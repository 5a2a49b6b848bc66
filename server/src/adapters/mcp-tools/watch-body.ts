import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import { watchEventIds } from './event-id-watch.js'
import { lostAnswerEvents } from './lost-answer.js'

export interface BrokenOff {
  /** Why, as a sentence. */
  readonly detail: string
  /** Whether asking for the rest would end in the same way. */
  readonly isFinal: boolean
}

export interface BodyWatch {
  /** The request that the body answers; null where that is not known. */
  readonly id: RequestId | null
  readonly explain: (error: unknown) => BrokenOff
  readonly onEnd?: () => void
}

/** Passes a body on as it comes. A stream of events that ends without a way to have the rest says so itself. */
export function watchBody(response: Response, { id, explain, onEnd }: BodyWatch): Response {
  if (response.body === null) {
    onEnd?.()
    return response
  }
  const isEventStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
  const reader = response.body.getReader()
  const events = watchEventIds()

  function finish(controller: ReadableStreamDefaultController<Uint8Array>, lost: string | null): void {
    if (isEventStream && id !== null && lost !== null) controller.enqueue(lostAnswerEvents(id, lost))
    controller.close()
    onEnd?.()
  }

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const { done, value } = await reader.read()
      if (done) {
        finish(controller, events.hasSeenId ? null : 'The MCP server ended its answer too early.')
        return
      }
      events.read(value)
      controller.enqueue(value)
    } catch (error) {
      const { detail, isFinal } = explain(error)
      const isLost = isEventStream && id !== null && (isFinal || !events.hasSeenId)
      if (isLost) {
        finish(controller, detail)
        return
      }
      onEnd?.()
      // With an id the client library asks for the rest.
      throw error
    }
  }

  const cancel = (reason: unknown) => {
    onEnd?.()
    return reader.cancel(reason)
  }
  const body = new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 })
  return new Response(body, { status: response.status, headers: response.headers })
}
