import { type Fields, fieldsOf, textOf } from '../realtime-dialects/json-fields.js'
import { errorEvent, makeId, unsupportedEvent } from '../realtime-dialects/server-event.js'
import type { DialectOutput } from '../realtime-dialects/translating-dialect.js'
import { withId } from './delegated-calls.js'
import { delegated } from './session-start.js'

/** The reasons of the provider to end a session. */
const closeDetails: Readonly<Record<string, string>> = {
  close_requested: 'The session was closed.',
  expired: 'The session has reached the maximum duration of the provider.',
  content: 'The provider ended the session because of its content.',
  remote_hangup: 'The caller has hung up.',
  connection_lost: 'The provider lost the connection.',
}

export const closeDetail = (reason: string) => closeDetails[reason] ?? 'The provider closed the session.'

/** The parts of a session that belong to the text model. */
const changeable: ReadonlySet<string> = new Set(['type', 'instructions', 'tools', 'tool_choice'])

/** The session as the client knows it: its configuration, its errors and its seconds. */
export class LiveSession {
  readonly #output: DialectOutput
  #session: Fields
  #isStarted = false
  #seconds = 0

  constructor(output: DialectOutput, session: Fields) {
    this.#output = output
    this.#session = session
  }

  get isStarted(): boolean {
    return this.#isStarted
  }

  /** The provider has accepted the configuration. */
  start({ id, expires_at }: Fields): void {
    const { emit } = this.#output
    this.#isStarted = true
    const started = { object: 'realtime.session', id: textOf(id) || makeId('sess') }
    this.#session = { ...this.#session, ...started, expires_at: expires_at ?? null }
    emit({ type: 'session.created', session: this.#session })
    this.reportUpdate()
  }

  reportUpdate(): void {
    this.#output.emit({ type: 'session.updated', session: this.#session })
  }

  /** Changes the text model. Everything else is fixed when the session starts. */
  update(event: Fields): void {
    const session = fieldsOf(event.session)
    const fixed = Object.keys(session).find((name) => !changeable.has(name))
    if (fixed !== undefined)
      return this.#output.emit(
        unsupportedEvent(event, `GPT-Live cannot change ${fixed} after the session has started.`),
      )
    this.#session = { ...this.#session, ...session }
    const delegation = { type: 'responses', responses: delegated(session) }
    this.#output.send({ type: 'session.update', ...withId(event.event_id), session: { delegation } })
  }

  reportSeconds(seconds: unknown): void {
    if (typeof seconds !== 'number' || seconds <= this.#seconds) return
    this.#seconds = seconds
    this.#output.emit({ type: 'session.usage.updated', usage: { seconds } })
  }

  /** Errors do not end a session, except before it has started. */
  fail({ code: givenCode, message: givenMessage, param, client_event_id }: Fields): void {
    const code = textOf(givenCode)
    const message = textOf(givenMessage)
    if (this.#isStarted) {
      const field = typeof param === 'string' ? param : null
      return this.#output.emit(errorEvent({ event_id: client_event_id }, code, message, field))
    }
    this.#output.refuse(
      /rate_limit|quota|capacity/.test(code) ? 'busy' : 'misconfigured',
      `The provider rejected the configuration of the session: ${message || 'no reason given'}`,
    )
  }
}
