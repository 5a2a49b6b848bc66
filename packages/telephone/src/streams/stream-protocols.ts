import { AsteriskProtocol } from './asterisk-protocol.js'
import { tokenParameter } from './carrier.js'
import { PlivoProtocol } from './plivo-protocol.js'
import type { StreamProtocol } from './stream-protocol.js'
import { TelnyxProtocol } from './telnyx-protocol.js'
import { TwilioProtocol } from './twilio-protocol.js'
import { VonageProtocol } from './vonage-protocol.js'

export type CarrierKind = 'twilio' | 'telnyx' | 'plivo' | 'vonage' | 'asterisk'

export interface StreamHandshake {
  /** The WebSocket subprotocol that the carrier asks for. It fails unless the server selects it. */
  readonly subprotocol: string | null
  /** How a handshake proves its origin. `token`: only by the token of the start. */
  readonly proof: 'signature' | 'token' | 'password'
  /** Returns the protocol of one socket. */
  create(url: string): StreamProtocol
}

/** The differences between the carriers' sockets. */
export const streamHandshakes: Readonly<Record<CarrierKind, StreamHandshake>> = {
  twilio: { subprotocol: null, proof: 'signature', create: () => new TwilioProtocol() },
  telnyx: { subprotocol: null, proof: 'token', create: () => new TelnyxProtocol() },
  plivo: { subprotocol: 'audio.plivo.com', proof: 'token', create: () => new PlivoProtocol() },
  vonage: { subprotocol: null, proof: 'signature', create: () => new VonageProtocol() },
  asterisk: {
    subprotocol: 'media',
    proof: 'password',
    create: (url) => new AsteriskProtocol(new URL(url).searchParams.get(tokenParameter) || null),
  },
}
