import type { CarrierCall, CarrierRequest } from './carrier.js'
import { readCaller } from './phone-number.js'
import { isSameSecret, readHeader } from './same-secret.js'

export interface AsteriskAccount {
  /** As in `websocket_client.conf`. */
  readonly username: string
  readonly password: string
}

/**
 * Calls of an Asterisk. Its dialplan opens a socket for every call and puts the call into the URL:
 * `Dial(WebSocket/parley/c(ulaw)nv(id=${UNIQUEID},from=${CALLERID(num)},to=${EXTEN}))`. Its calls have neither webhooks nor an API.
 */
export class Asterisk {
  readonly #expected: string

  constructor({ username, password }: AsteriskAccount) {
    this.#expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  }

  /** Returns true if the handshake has the password. It is the only authentication. */
  isAuthentic({ headers }: CarrierRequest): boolean {
    return isSameSecret(readHeader(headers, 'authorization') ?? '', this.#expected)
  }

  /** Returns the call of a handshake, or null if the URL does not name the called number. */
  readIncomingCall({ url }: CarrierRequest): CarrierCall | null {
    const query = new URL(url).searchParams
    const to = readNumber(query.get('to'))
    if (!to) return null
    const from = readNumber(query.get('from'))
    // An extension of the Asterisk is a caller too.
    const caller = from && /^\d{1,4}$/.test(from) ? from : readCaller(from)
    return { callId: query.get('id') ?? '', direction: 'in', to: readCaller(to) ?? to, from: caller }
  }
}

/** A dialplan does not encode the plus sign, so that it arrives as a space. */
const readNumber = (text: string | null) => text?.replace(/^ (?=\d)/, '+') ?? null
