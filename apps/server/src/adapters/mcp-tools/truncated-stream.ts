import type { RequestId } from '@modelcontextprotocol/client'
import { lostResponseEvent } from './lost-response.js'

/** A truncated body. */
export interface Truncation {
  /** The reason, as a sentence. */
  readonly detail: string
  /** Whether a request for the rest would fail in the same way. */
  readonly isFinal: boolean
}

export interface TruncationOptions {
  /** The request that the body belongs to, or null if it is unknown. */
  readonly id: RequestId | null
  readonly explain: (error: unknown) => Truncation
  readonly onEnd?: () => void
}

/**
 * Streams a body through. If an event stream is truncated and cannot be resumed, it ends with an error for
 * its request. Otherwise, the client library would wait for the rest until its timeout.
 */
export function reportTruncation(response: Response, { id, explain, onEnd }: TruncationOptions): Response {
  if (response.body === null) {
    onEnd?.()
    return response
  }
  const isEventStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
  const reader = response.body.getReader()
  const eventIds = new EventIdDetector()

  function finish(controller: ReadableStreamDefaultController<Uint8Array>, lost: string | null): void {
    if (isEventStream && id !== null && lost !== null) controller.enqueue(lostResponseEvent(id, lost))
    controller.close()
    onEnd?.()
  }

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const { done, value } = await reader.read()
      if (done) {
        finish(controller, eventIds.hasSeenId ? null : 'The MCP server ended its response too early.')
        return
      }
      eventIds.read(value)
      controller.enqueue(value)
    } catch (error) {
      const { detail, isFinal } = explain(error)
      const isLost = isEventStream && id !== null && (isFinal || !eventIds.hasSeenId)
      if (isLost) {
        finish(controller, detail)
        return
      }
      onEnd?.()
      // If the stream has ids, the client library requests the rest.
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

/** The part of a line that identifies its field. */
const fieldLength = 3

/** Detects whether an event stream contains ids. Such a stream can be resumed. */
class EventIdDetector {
  readonly #decoder = new TextDecoder()
  #lineBeginning = ''
  #hasSeenId = false

  get hasSeenId(): boolean {
    return this.#hasSeenId
  }

  read(chunk: Uint8Array): void {
    const [first = '', ...others] = this.#decoder.decode(chunk, { stream: true }).split(/[\r\n]/)
    const lines = [`${this.#lineBeginning}${first.slice(0, fieldLength)}`, ...others]
    this.#hasSeenId ||= lines.some((line) => line.startsWith('id:'))
    this.#lineBeginning = (lines.at(-1) ?? '').slice(0, fieldLength)
  }
}
