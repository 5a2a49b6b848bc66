import { type KeyObject, randomUUID } from 'node:crypto'
import type {
  CallOutcome,
  CallStatus,
  Carrier,
  CarrierCall,
  CarrierOptions,
  CarrierRequest,
  CarrierRequestKind,
  DialRequest,
  RejectReason,
  Sentence,
  StreamTarget,
  Transfer,
  WebhookAnswer,
} from './carrier.js'
import { CarrierApi, type CarrierComplaint } from './carrier-api.js'
import { parseJson, readField, readText } from './json-field.js'
import { readCaller } from './phone-number.js'
import { isSignedByTelnyx, readTelnyxKey } from './telnyx-signature.js'

export interface TelnyxAccount {
  readonly apiKey: string
  /** The public key of the portal, with which webhooks are verified. */
  readonly publicKey: string
  /** The voice application that dials. */
  readonly connectionId: string
  readonly baseUrl?: string
}

const outcomes: Readonly<Record<string, CallOutcome>> = {
  normal_clearing: 'answered',
  time_limit: 'answered',
  user_busy: 'busy',
  call_rejected: 'rejected',
  no_answer: 'no_answer',
  timeout: 'no_answer',
  originator_cancel: 'no_answer',
}

/** Our names of Telnyx's fields. */
const fields: Readonly<Record<string, string>> = {
  stream_url: 'url',
  webhook_url: 'statusUrl',
  timeout_secs: 'ringSeconds',
  time_limit_secs: 'maxSeconds',
}

/** Marks a call that only hears a sentence. */
const sayState = 'parley:say'
/** Marks the new leg of a transfer. The ID of the transferred call follows. */
const transferState = 'parley:transfer:'

/** Without `rtp` the caller would hear nothing. The audio is for the leg of the stream, not for a bridged one. */
const stream = ({ url, token }: StreamTarget) => ({
  stream_url: url,
  stream_track: 'inbound_track',
  stream_codec: 'PCMU',
  stream_bidirectional_mode: 'rtp',
  stream_bidirectional_codec: 'PCMU',
  stream_bidirectional_target_legs: 'self',
  send_silence_when_idle: true,
  client_state: encode(token),
})

/** Calls at Telnyx. Its webhooks have empty answers: commands are requests of their own. */
export class Telnyx implements Carrier {
  readonly answersByCommand = true
  readonly #account: TelnyxAccount
  readonly #key: KeyObject
  readonly #nowSeconds: () => number
  readonly #api: CarrierApi

  constructor(account: TelnyxAccount, { fetch, now = Date.now }: CarrierOptions) {
    this.#account = account
    this.#key = readTelnyxKey(account.publicKey)
    this.#nowSeconds = () => now() / 1000
    this.#api = new CarrierApi({
      carrier: 'Telnyx',
      baseUrl: account.baseUrl ?? 'https://api.telnyx.com',
      fetch,
      authorize: () => ({ authorization: `Bearer ${account.apiKey}` }),
      secrets: [account.apiKey],
      readComplaint,
    })
  }

  isAuthentic(request: CarrierRequest, kind: CarrierRequestKind = 'webhook'): boolean {
    return kind === 'handshake' || isSignedByTelnyx(request, this.#key, this.#nowSeconds())
  }

  /** Hangs up calls that heard their sentence, and transferred calls whose other party is gone or never came. */
  async react(request: CarrierRequest): Promise<WebhookAnswer | null> {
    const { type, payload, callId } = readEvent(request)
    const state = decode(readText(payload, 'client_state') ?? '')
    if (state === sayState && type === 'call.speak.ended') {
      if (callId !== null) await this.hangUp(callId)
      return done
    }
    if (!state.startsWith(transferState)) return null
    if (type === 'call.hangup') await this.hangUp(state.slice(transferState.length))
    return done
  }

  readIncomingCall(request: CarrierRequest): CarrierCall | null {
    const { type, payload, callId } = readEvent(request)
    const to = readText(payload, 'to')
    if (type !== 'call.initiated' || readText(payload, 'direction') !== 'incoming') return null
    if (callId === null || to === null) return null
    return { callId, direction: 'in', to, from: readCaller(readText(payload, 'from')) }
  }

  readStatus(request: CarrierRequest): CallStatus | null {
    const { type, payload, callId } = readEvent(request)
    if (callId === null) return null
    if (type === 'call.answered') return { callId, state: 'up', outcome: 'answered' }
    if (type === 'call.hangup') {
      const cause = readText(payload, 'hangup_cause') ?? ''
      const outcome = Object.hasOwn(outcomes, cause) ? outcomes[cause] : undefined
      return { callId, state: 'ended', outcome: outcome ?? 'failed' }
    }
    if (type === 'call.initiated' && readText(payload, 'direction') === 'outgoing') {
      return { callId, state: 'dialing', outcome: null }
    }
    const isMachine = type === 'call.machine.detection.ended' && readText(payload, 'result') === 'machine'
    return isMachine ? { callId, state: 'up', outcome: 'voicemail' } : null
  }

  async answer({ callId }: CarrierCall, target: StreamTarget): Promise<WebhookAnswer> {
    await this.#command(callId, 'answer', stream(target))
    return done
  }

  async reject({ callId }: CarrierCall, reason: RejectReason): Promise<WebhookAnswer> {
    await this.#command(callId, 'reject', { cause: reason === 'busy' ? 'USER_BUSY' : 'CALL_REJECTED' })
    return done
  }

  async say({ callId }: CarrierCall, { text, language }: Sentence): Promise<WebhookAnswer> {
    await this.#command(callId, 'answer', {})
    const voice = { voice: 'female', language: language ?? 'en-US' }
    await this.#command(callId, 'speak', { payload: text, ...voice, client_state: encode(sayState) })
    return done
  }

  async dial(call: DialRequest): Promise<string> {
    const json = {
      connection_id: this.#account.connectionId,
      to: call.to,
      from: call.from,
      ...stream(call),
      webhook_url: call.statusUrl,
      timeout_secs: call.ringSeconds,
      time_limit_secs: call.maxSeconds,
      ...(call.detectsVoicemail && { answering_machine_detection: 'detect' }),
      command_id: call.idempotencyKey,
    }
    const body = await this.#api.send({ method: 'POST', path: '/v2/calls', json })
    const callId = readText(readField(body, 'data'), 'call_control_id')
    if (callId === null) throw this.#api.missing('call_control_id')
    return callId
  }

  async check(): Promise<void> {
    const application = encodeURIComponent(this.#account.connectionId)
    await this.#api.send({ method: 'GET', path: `/v2/call_control_applications/${application}` })
  }

  async hangUp(callId: string): Promise<void> {
    await this.#command(callId, 'hangup', {})
  }

  async transfer(callId: string, { to, from }: Transfer): Promise<void> {
    const json = { to, ...(from && { from }), target_leg_client_state: encode(transferState + callId) }
    await this.#command(callId, 'transfer', json, randomUUID())
  }

  async sendDigits(callId: string, digits: string): Promise<void> {
    await this.#command(callId, 'send_dtmf', { digits }, randomUUID())
  }

  /** Telnyx ignores a second command with the same ID for the same call. */
  async #command(callId: string, name: string, json: object, id = `parley-${name}`): Promise<void> {
    const path = `/v2/calls/${encodeURIComponent(callId)}/actions/${name}`
    await this.#api.send({ method: 'POST', path, json: { ...json, command_id: id } })
  }
}

const done: WebhookAnswer = { contentType: 'text/plain', body: '' }

function encode(text: string): string {
  return Buffer.from(text).toString('base64')
}

function decode(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8')
}

function readEvent({ body }: CarrierRequest) {
  const data = readField(parseJson(body), 'data')
  const payload = readField(data, 'payload')
  return { type: readText(data, 'event_type'), payload, callId: readText(payload, 'call_control_id') }
}

function readComplaint(body: unknown): CarrierComplaint | null {
  const errors = readField(body, 'errors')
  const error: unknown = Array.isArray(errors) ? errors[0] : null
  const text = readText(error, 'detail') ?? readText(error, 'title')
  if (text === null) return null
  const pointer = readText(readField(error, 'source'), 'pointer')
  const name = pointer?.split('/').at(-1) ?? null
  const field = name && Object.hasOwn(fields, name) ? (fields[name] ?? null) : name
  return { text, code: readText(error, 'code'), field }
}
