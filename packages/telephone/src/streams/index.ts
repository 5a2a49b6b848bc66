export { Asterisk, type AsteriskAccount } from './asterisk.js'
export type {
  CallOutcome,
  CallStatus,
  Carrier,
  CarrierFetch,
  CarrierOptions,
  CarrierRequest,
  CarrierRequestKind,
  IncomingCall,
  OutgoingCall,
  RejectReason,
  Sentence,
  StreamTarget,
  Transfer,
  WebhookAnswer,
} from './carrier.js'
export { CarrierError, type CarrierErrorCode, RequestNotSent } from './carrier-api.js'
export { encodeSound } from './encode-sound.js'
export { InvalidAccount } from './invalid-account.js'
export { noticeTone } from './notice-tone.js'
export { Plivo, type PlivoAccount } from './plivo.js'
export { type AdmittedCall, StreamFailure, StreamLeg, type StreamLegOptions } from './stream-leg.js'
export type { StreamProtocol, StreamStart } from './stream-protocol.js'
export { type CarrierKind, type StreamHandshake, streamHandshakes } from './stream-protocols.js'
export type { StreamSocket, StreamSocketEvents } from './stream-socket.js'
export { Telnyx, type TelnyxAccount } from './telnyx.js'
export { Twilio, type TwilioAccount } from './twilio.js'
export { TwilioProtocol } from './twilio-protocol.js'
export { Vonage, type VonageAccount } from './vonage.js'
