import type {
  CallOutcome,
  CallStatus,
  Carrier,
  CarrierCall,
  CarrierOptions,
  CarrierRequest,
  DialRequest,
  RejectReason,
  Sentence,
  StreamTarget,
  Transfer,
  WebhookAnswer,
} from './carrier.js'
import { CarrierApi, type CarrierComplaint } from './carrier-api.js'
import { readField } from './json-field.js'
import { connectMarkup, rejectMarkup, sayMarkup, transferMarkup } from './twilio-markup.js'
import { isSignedByTwilio } from './twilio-signature.js'

export interface TwilioAccount {
  readonly accountSid: string
  readonly authToken: string
  /** Another address of the API: of a region, or of a carrier with the same API. */
  readonly baseUrl?: string
}

/** Numbers with which Twilio replaces a withheld one: "anonymous", "restricted" and so on in digits of a keypad. */
const withheldNumbers = new Set([
  '+266696687',
  '+7378742833',
  '+2562533',
  '+8656696',
  '+86282452253',
  'anonymous',
  'restricted',
  'unavailable',
  'unknown',
])

const states: Readonly<Record<string, Pick<CallStatus, 'state' | 'outcome'>>> = {
  queued: { state: 'dialing', outcome: null },
  initiated: { state: 'dialing', outcome: null },
  ringing: { state: 'ringing', outcome: null },
  'in-progress': { state: 'up', outcome: 'answered' },
  completed: { state: 'ended', outcome: 'answered' },
  busy: { state: 'ended', outcome: 'busy' },
  'no-answer': { state: 'ended', outcome: 'no_answer' },
  canceled: { state: 'ended', outcome: 'no_answer' },
  failed: { state: 'ended', outcome: 'failed' },
}

/** Error codes that blame one field. */
const blamedFields: Readonly<Record<string, string>> = {
  '13223': 'to',
  '13224': 'to',
  '21201': 'to',
  '21211': 'to',
  '21214': 'to',
  '21215': 'to',
  '21216': 'to',
  '21217': 'to',
  '21210': 'from',
  '21212': 'from',
  '21213': 'from',
  '21205': 'url',
  '21609': 'statusUrl',
  '21208': 'ringSeconds',
}

/** SIP's answers of a person who declined the call. */
const declined = new Set(['603', '607', '608'])

/** Calls at Twilio, and at carriers with the same API. */
export class Twilio implements Carrier {
  readonly #account: TwilioAccount
  readonly #api: CarrierApi
  readonly #path: string

  constructor(account: TwilioAccount, { fetch }: CarrierOptions) {
    const { accountSid, authToken, baseUrl = 'https://api.twilio.com' } = account
    const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
    this.#account = account
    this.#path = `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`
    this.#api = new CarrierApi({
      carrier: 'Twilio',
      baseUrl,
      fetch,
      authorize: () => ({ authorization: `Basic ${credentials}` }),
      secrets: [authToken, credentials],
      readComplaint,
    })
  }

  isAuthentic(request: CarrierRequest): boolean {
    return isSignedByTwilio(request, this.#account.authToken)
  }

  readIncomingCall(request: CarrierRequest): CarrierCall | null {
    const form = new URLSearchParams(request.body)
    const [callId, to, from] = ['CallSid', 'To', 'From'].map((name) => form.get(name))
    // Reports of states have the same fields.
    const isReport = form.has('CallbackSource') || this.readStatus(request)?.state === 'ended'
    if (!callId || !to || isReport) return null
    const direction = form.get('Direction')?.startsWith('outbound') ? 'out' : 'in'
    return { callId, direction, to, from: from && !withheldNumbers.has(from.toLowerCase()) ? from : null }
  }

  readStatus({ body }: CarrierRequest): CallStatus | null {
    const form = new URLSearchParams(body)
    const callId = form.get('CallSid')
    if (!callId) return null
    const isMachine = form.get('AnsweredBy')?.startsWith('machine') ?? false
    const status = form.get('CallStatus')
    // The report of an answering machine has no state.
    if (status === null) return isMachine ? { callId, state: 'up', outcome: 'voicemail' } : null
    const known = Object.hasOwn(states, status) ? states[status] : undefined
    return known ? { callId, state: known.state, outcome: refine(known.outcome, form, isMachine) } : null
  }

  async answer(_call: CarrierCall, stream: StreamTarget): Promise<WebhookAnswer> {
    return markup(connectMarkup(stream))
  }

  async reject(_call: CarrierCall, reason: RejectReason): Promise<WebhookAnswer> {
    return markup(rejectMarkup(reason))
  }

  async say(_call: CarrierCall, sentence: Sentence): Promise<WebhookAnswer> {
    return markup(sayMarkup(sentence))
  }

  async dial(call: DialRequest): Promise<string> {
    const form = new URLSearchParams({
      To: call.to,
      From: call.from,
      Twiml: connectMarkup(call),
      Timeout: String(call.ringSeconds),
      TimeLimit: String(call.maxSeconds),
      StatusCallback: call.statusUrl,
    })
    for (const event of ['initiated', 'ringing', 'answered', 'completed']) {
      form.append('StatusCallbackEvent', event)
    }
    if (call.detectsVoicemail) {
      // Asynchronous, because the call would be silent during the detection otherwise.
      form.set('MachineDetection', 'Enable')
      form.set('AsyncAmd', 'true')
      form.set('AsyncAmdStatusCallback', call.statusUrl)
    }
    const body = await this.#api.send({ method: 'POST', path: `${this.#path}/Calls.json`, form })
    const sid = readField(body, 'sid')
    if (typeof sid !== 'string' || sid === '') throw this.#api.missing('sid')
    return sid
  }

  async check(): Promise<void> {
    await this.#api.send({ method: 'GET', path: `${this.#path}.json` })
  }

  async hangUp(callId: string): Promise<void> {
    await this.#update(callId, { Status: 'completed' })
  }

  async transfer(callId: string, transfer: Transfer): Promise<void> {
    await this.#update(callId, { Twiml: transferMarkup(transfer) })
  }

  async #update(callId: string, fields: Record<string, string>): Promise<void> {
    const path = `${this.#path}/Calls/${encodeURIComponent(callId)}.json`
    await this.#api.send({ method: 'POST', path, form: new URLSearchParams(fields) })
  }
}

const markup = (body: string): WebhookAnswer => ({ contentType: 'text/xml', body })

function refine(outcome: CallOutcome | null, form: URLSearchParams, isMachine: boolean): CallOutcome | null {
  if (outcome === 'answered' && isMachine) return 'voicemail'
  const isDeclined = declined.has(form.get('SipResponseCode') ?? '')
  return isDeclined && (outcome === 'busy' || outcome === 'failed') ? 'rejected' : outcome
}

function readComplaint(body: unknown): CarrierComplaint | null {
  const [text, code] = [readField(body, 'message'), readField(body, 'code')]
  if (typeof text !== 'string') return null
  const name = typeof code === 'number' ? String(code) : null
  return { text, code: name, field: (name && blamedFields[name]) ?? null }
}
