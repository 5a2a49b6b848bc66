import { type FrameSocket, type FrameSocketEvents, WrappedSocket } from '@parley/relay-socket'
import { decodeProviderFrame } from '../protocol/provider-frame.js'
import { configurationProblem } from './configuration-problem.js'

/** A provider sends one or two events before it confirms the configuration. */
const maxWaitingFrames = 256

/** The outcome of an opening: confirmed, or the reason of the failure. */
export type Confirmation = { readonly ok: true } | { readonly ok: false; readonly detail: string }

/**
 * The socket of a provider that has not confirmed the configuration of the session yet. It keeps the provider's frames
 * until its owner listens, so that they can be relayed if the provider confirms.
 */
export class ConfirmedSocket extends WrappedSocket {
  readonly confirmation: Promise<Confirmation>
  readonly #updateEventId: string
  readonly #waiting: { readonly data: Buffer; readonly isBinary: boolean }[] = []
  #settle: (confirmation: Confirmation) => void = () => undefined
  #events: FrameSocketEvents | null = null
  /** Set if the socket was closed before its owner listened. */
  #close: { readonly code: number; readonly reason: string } | null = null

  constructor(socket: FrameSocket, updateEventId: string) {
    super(socket)
    this.#updateEventId = updateEventId
    this.confirmation = new Promise((resolve) => {
      this.#settle = resolve
    })
    socket.listen({
      frame: (data, isBinary) =>
        this.#events ? this.#events.frame(data, isBinary) : this.#keep(data, isBinary),
      pong: () => this.#events?.pong(),
      tooBig: () => {
        this.#events?.tooBig()
        this.#fail('The provider sent a message that exceeds the maximum size.')
      },
      closed: (code, reason) => {
        this.#fail(`The provider closed the connection (${code}${reason && `: ${reason}`}).`)
        if (this.#events) this.#events.closed(code, reason)
        else this.#close = { code, reason }
      },
    })
  }

  override listen(events: FrameSocketEvents): void {
    this.#events = events
    for (const { data, isBinary } of this.#waiting.splice(0)) events.frame(data, isBinary)
    if (this.#close !== null) events.closed(this.#close.code, this.#close.reason)
  }

  #keep(data: Buffer, isBinary: boolean): void {
    this.#waiting.push({ data, isBinary })
    if (this.#waiting.length > maxWaitingFrames)
      this.#fail('The provider sent too many events before it confirmed the session.')
    const event = isBinary ? null : decodeProviderFrame(data)
    if (event?.type === 'session.updated') this.#settle({ ok: true })
    if (event?.type !== 'error') return
    const problem = configurationProblem(event, { updateEventId: this.#updateEventId, isConfigured: false })
    if (problem !== null) this.#fail(problem)
  }

  #fail(detail: string): void {
    this.#settle({ ok: false, detail })
  }
}
