import { type KeyObject, randomUUID } from 'node:crypto'
import {
  type CallStatus,
  type Carrier,
  type CarrierCall,
  type CarrierOptions,
  type CarrierRequest,
  type CarrierRequestKind,
  type DialRequest,
  type Sentence,
  type StreamTarget,
  type Transfer,
  tokenParameter,
  type WebhookAnswer,
} from './carrier.js'
import { CarrierApi, type CarrierComplaint } from './carrier-api.js'
import { parseJson, readField, readText } from './json-field.js'
import { readPrivateKey, signWithKey } from './json-web-token.js'
import { isSipAddress, readCaller, withoutPlus } from './phone-number.js'
import { vonageContentType } from './vonage-protocol.js'
import { isSignedByVonage, type VonageSigner } from './vonage-signature.js'

export interface VonageAccount extends VonageSigner {
  /** The application's private key in PEM. */
  readonly privateKey: string
  readonly baseUrl?: string
}

const states: Readonly<Record<string, Pick<CallStatus, 'state' | 'outcome'>>> = {
  started: { state: 'dialing', outcome: null },
  ringing: { state: 'ringing', outcome: null },
  answered: { state: 'up', outcome: 'answered' },
  machine: { state: 'up', outcome: 'voicemail' },
  completed: { state: 'ended', outcome: 'answered' },
  busy: { state: 'ended', outcome: 'busy' },
  rejected: { state: 'ended', outcome: 'rejected' },
  timeout: { state: 'ended', outcome: 'no_answer' },
  unanswered: { state: 'ended', outcome: 'no_answer' },
  cancelled: { state: 'ended', outcome: 'no_answer' },
  failed: { state: 'ended', outcome: 'failed' },
}

const tokenSeconds = 60

/** Calls at Vonage. Instructions are NCCOs: JSON lists of actions. */
export class Vonage implements Carrier {
  readonly #account: VonageAccount
  readonly #key: KeyObject
  readonly #nowSeconds: () => number
  readonly #api: CarrierApi

  constructor(account: VonageAccount, { fetch, now = Date.now }: CarrierOptions) {
    this.#account = account
    this.#key = readPrivateKey(account.privateKey)
    this.#nowSeconds = () => Math.floor(now() / 1000)
    this.#api = new CarrierApi({
      carrier: 'Vonage',
      baseUrl: account.baseUrl ?? 'https://api.nexmo.com',
      fetch,
      authorize: () => ({ authorization: `Bearer ${this.#token()}` }),
      secrets: [account.privateKey, account.signatureSecret],
      readComplaint,
    })
  }

  isAuthentic(request: CarrierRequest, kind: CarrierRequestKind = 'webhook'): boolean {
    return isSignedByVonage({ ...request, kind }, this.#account, this.#nowSeconds())
  }

  readIncomingCall(request: CarrierRequest): CarrierCall | null {
    const read = reader(request)
    const [callId, to] = [read('uuid'), read('to')]
    // Reports of states have the same fields and a status.
    if (callId === null || to === null || read('status') !== null) return null
    return { callId, direction: 'in', to: readCaller(to) ?? to, from: readCaller(read('from')) }
  }

  readStatus(request: CarrierRequest): CallStatus | null {
    const read = reader(request)
    const [callId, status] = [read('uuid'), read('status') ?? '']
    const known = Object.hasOwn(states, status) ? states[status] : undefined
    return callId !== null && known ? { callId, ...known } : null
  }

  async answer({ callId }: CarrierCall, stream: StreamTarget): Promise<WebhookAnswer> {
    return ncco([connect(stream, { callId })])
  }

  /** An NCCO without actions ends the call. Vonage has no reasons. */
  async reject(): Promise<WebhookAnswer> {
    return ncco([])
  }

  async say(_call: CarrierCall, { text, language }: Sentence): Promise<WebhookAnswer> {
    return ncco([{ action: 'talk', text, ...(language && { language }) }])
  }

  async dial(call: DialRequest): Promise<string> {
    const json = {
      to: [endpoint(call.to)],
      from: { type: 'phone', number: withoutPlus(call.from) },
      ncco: [connect(call, {})],
      event_url: [call.statusUrl],
      event_method: 'POST',
      ringing_timer: call.ringSeconds,
      length_timer: call.maxSeconds,
      ...(call.detectsVoicemail && {
        advanced_machine_detection: { behavior: 'continue', mode: 'detect' },
      }),
    }
    const body = await this.#api.send({ method: 'POST', path: '/v1/calls', json })
    const callId = readText(body, 'uuid')
    if (callId === null) throw this.#api.missing('uuid')
    return callId
  }

  async check(): Promise<void> {
    await this.#api.send({ method: 'GET', path: '/v1/calls?page_size=1' })
  }

  async hangUp(callId: string): Promise<void> {
    await this.#update(callId, { action: 'hangup' })
  }

  async transfer(callId: string, { to, from, ownNumber }: Transfer): Promise<void> {
    const shown = from ?? ownNumber
    const action = {
      action: 'connect',
      endpoint: [endpoint(to)],
      ...(shown && { from: withoutPlus(shown) }),
    }
    await this.#update(callId, { action: 'transfer', destination: { type: 'ncco', ncco: [action] } })
  }

  async sendDigits(callId: string, digits: string): Promise<void> {
    await this.#update(callId, { digits }, '/dtmf')
  }

  async #update(callId: string, json: object, resource = ''): Promise<void> {
    const path = `/v1/calls/${encodeURIComponent(callId)}${resource}`
    await this.#api.send({ method: 'PUT', path, json })
  }

  #token(): string {
    const iat = this.#nowSeconds()
    const claims = {
      application_id: this.#account.applicationId,
      iat,
      exp: iat + tokenSeconds,
      jti: randomUUID(),
    }
    return signWithKey(claims, this.#key)
  }
}

const ncco = (actions: readonly object[]): WebhookAnswer => ({
  contentType: 'application/json',
  body: JSON.stringify(actions),
})

/** With this authorization, the handshake has the signature of webhooks. */
const connect = ({ url, token }: StreamTarget, headers: Record<string, string>) => ({
  action: 'connect',
  endpoint: [
    {
      type: 'websocket',
      uri: url,
      'content-type': vonageContentType,
      headers: { [tokenParameter]: token, ...headers },
      authorization: { type: 'vonage' },
    },
  ],
})

const endpoint = (address: string) =>
  isSipAddress(address) ? { type: 'sip', uri: address } : { type: 'phone', number: withoutPlus(address) }

/** Reads fields of a JSON body, or of a GET's query. */
function reader({ method, url, body }: CarrierRequest): (name: string) => string | null {
  const query = method === 'GET' ? new URL(url).searchParams : null
  const value = query ? null : parseJson(body)
  return (name) => (query ? query.get(name) || null : readText(value, name))
}

/** Vonage's errors have a title, a sentence and sometimes a list of invalid parameters. */
function readComplaint(body: unknown): CarrierComplaint | null {
  const text = readText(body, 'detail') ?? readText(body, 'title') ?? readText(body, 'error_title')
  if (text === null) return null
  const invalid = readField(body, 'invalid_parameters')
  const first: unknown = Array.isArray(invalid) ? invalid[0] : null
  return { text, field: readText(first, 'name') }
}
