import type {
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
import { readField, readText } from './json-field.js'
import { readCaller, withoutPlus } from './phone-number.js'
import { plivoConnectMarkup, plivoRejectMarkup, plivoSayMarkup, plivoTransferMarkup } from './plivo-markup.js'
import { isSignedByPlivo } from './plivo-signature.js'

export interface PlivoAccount {
  readonly authId: string
  readonly authToken: string
  /** A public webhook of this account. Plivo fetches the instructions of transfers there. */
  readonly webhookUrl: string
  readonly baseUrl?: string
}

const states: Readonly<Record<string, Pick<CallStatus, 'state' | 'outcome'>>> = {
  ringing: { state: 'ringing', outcome: null },
  'in-progress': { state: 'up', outcome: 'answered' },
  completed: { state: 'ended', outcome: 'answered' },
  busy: { state: 'ended', outcome: 'busy' },
  'no-answer': { state: 'ended', outcome: 'no_answer' },
  cancel: { state: 'ended', outcome: 'no_answer' },
  timeout: { state: 'ended', outcome: 'no_answer' },
  rejected: { state: 'ended', outcome: 'rejected' },
  failed: { state: 'ended', outcome: 'failed' },
}

/** Query parameters of the URL that returns a transfer's instructions. The signature covers them. */
const transferTo = 'parley-transfer-to'
const transferFrom = 'parley-transfer-from'

/** Calls at Plivo. */
export class Plivo implements Carrier {
  readonly namesCallsLater = true
  readonly #account: PlivoAccount
  readonly #api: CarrierApi
  readonly #path: string

  constructor(account: PlivoAccount, { fetch }: CarrierOptions) {
    const { authId, authToken, baseUrl = 'https://api.plivo.com' } = account
    const credentials = Buffer.from(`${authId}:${authToken}`).toString('base64')
    this.#account = account
    this.#path = `/v1/Account/${encodeURIComponent(authId)}/`
    this.#api = new CarrierApi({
      carrier: 'Plivo',
      baseUrl,
      fetch,
      authorize: () => ({ authorization: `Basic ${credentials}` }),
      secrets: [authToken, credentials],
      readComplaint,
    })
  }

  isAuthentic(request: CarrierRequest, kind: CarrierRequestKind = 'webhook'): boolean {
    const isUnsignedHandshake = kind === 'handshake' && !request.headers['x-plivo-signature-v3']
    return isUnsignedHandshake || isSignedByPlivo(request, this.#account.authToken)
  }

  /** Returns the instructions of a transfer. */
  async react({ url }: CarrierRequest): Promise<WebhookAnswer | null> {
    const query = new URL(url).searchParams
    const to = query.get(transferTo)
    return to === null ? null : markup(plivoTransferMarkup({ to, from: query.get(transferFrom) }))
  }

  /** Returns null for reports of the ringing, the end and an answering machine, which have the same form. */
  readIncomingCall(request: CarrierRequest): CarrierCall | null {
    const form = readForm(request)
    const [callId, to] = [form.get('CallUUID'), form.get('To')]
    const direction = form.get('Direction')?.startsWith('outbound') ? 'out' : 'in'
    const isReport = form.has('HangupCause') || (form.get('Event') ?? 'StartApp') !== 'StartApp'
    const isRinging = form.get('CallStatus') === 'ringing'
    if (!callId || !to || isReport || (direction === 'out' && isRinging)) return null
    return { callId, direction, to: readCaller(to) ?? to, from: readCaller(form.get('From')) }
  }

  readStatus(request: CarrierRequest): CallStatus | null {
    const form = readForm(request)
    const callId = form.get('CallUUID')
    if (!callId) return null
    const isMachine = form.get('Machine') === 'true'
    const status = form.get('CallStatus') ?? ''
    const known = Object.hasOwn(states, status) ? states[status] : undefined
    // The report of an answering machine may have no state.
    if (!known) return isMachine ? { callId, state: 'up', outcome: 'voicemail' } : null
    const cause = form.get('HangupCause')?.toLowerCase() ?? ''
    const isDeclined = cause.includes('reject') && known.state === 'ended' && known.outcome !== 'answered'
    const outcome = isDeclined ? 'rejected' : known.outcome
    return {
      callId,
      state: known.state,
      outcome: outcome === 'answered' && isMachine ? 'voicemail' : outcome,
    }
  }

  async answer(_call: CarrierCall, stream: StreamTarget): Promise<WebhookAnswer> {
    return markup(plivoConnectMarkup(stream))
  }

  async reject(_call: CarrierCall, reason: RejectReason): Promise<WebhookAnswer> {
    return markup(plivoRejectMarkup(reason))
  }

  async say(_call: CarrierCall, sentence: Sentence): Promise<WebhookAnswer> {
    return markup(plivoSayMarkup(sentence))
  }

  /** Returns the ID of the request. Webhooks and the stream have the ID of the call. */
  async dial(call: DialRequest): Promise<string> {
    if (call.answerUrl === undefined) throw new Error('`answerUrl` is required for calls over Plivo.')
    const json = {
      to: withoutPlus(call.to),
      from: withoutPlus(call.from),
      answer_url: call.answerUrl,
      ring_url: call.statusUrl,
      hangup_url: call.statusUrl,
      ring_timeout: call.ringSeconds,
      time_limit: call.maxSeconds,
      // With a URL of its own, the call goes on during the detection.
      ...(call.detectsVoicemail && { machine_detection: 'true', machine_detection_url: call.statusUrl }),
    }
    const body = await this.#api.send({ method: 'POST', path: `${this.#path}Call/`, json })
    const requestId = readText(body, 'request_uuid')
    if (requestId === null) throw this.#api.missing('request_uuid')
    return requestId
  }

  async check(): Promise<void> {
    await this.#api.send({ method: 'GET', path: this.#path })
  }

  async hangUp(callId: string): Promise<void> {
    await this.#api.send({ method: 'DELETE', path: this.#call(callId) })
  }

  async transfer(callId: string, { to, from }: Transfer): Promise<void> {
    const url = new URL(this.#account.webhookUrl)
    url.searchParams.set(transferTo, to)
    if (from) url.searchParams.set(transferFrom, from)
    const json = { legs: 'aleg', aleg_url: url.toString() }
    await this.#api.send({ method: 'POST', path: this.#call(callId), json })
  }

  async sendDigits(callId: string, digits: string): Promise<void> {
    await this.#api.send({ method: 'POST', path: `${this.#call(callId)}DTMF/`, json: { digits } })
  }

  #call(callId: string): string {
    return `${this.#path}Call/${encodeURIComponent(callId)}/`
  }
}

const markup = (body: string): WebhookAnswer => ({ contentType: 'text/xml', body })

/** The fields of a POST form, or of a GET's query. */
function readForm({ method, url, body }: CarrierRequest): URLSearchParams {
  return method === 'GET' ? new URL(url).searchParams : new URLSearchParams(body)
}

/** Plivo names the field in its sentence only, for example `to parameter is not valid`. */
function readComplaint(body: unknown): CarrierComplaint | null {
  const error = readField(body, 'error')
  const text = typeof error === 'string' ? error : readText(error, 'error')
  if (!text) return null
  const name = /\b(to|from|answer_url|ring_url|hangup_url|time_limit|ring_timeout)\b/.exec(text)?.[1]
  return { text, field: name ? (fields[name] ?? name) : null }
}

const fields: Readonly<Record<string, string>> = {
  answer_url: 'answerUrl',
  ring_url: 'statusUrl',
  hangup_url: 'statusUrl',
  time_limit: 'maxSeconds',
  ring_timeout: 'ringSeconds',
}
