export { Asterisk } from './asterisk.js'
export type {
  CallOutcome,
  CallStatus,
  Carrier,
  CarrierCall,
  CarrierFetch,
  CarrierOptions,
  CarrierRequest,
  Transfer,
  WebhookAnswer,
} from './carrier.js'
export { CarrierError, RequestNotSent } from './carrier-api.js'
export { InvalidAccount } from './invalid-account.js'
export { noticeTone } from './notice-tone.js'
export { Plivo } from './plivo.js'
export { type AdmittedCall, StreamLeg } from './stream-leg.js'
export { streamHandshakes } from './stream-protocols.js'
export { Telnyx } from './telnyx.js'
export { Twilio } from './twilio.js'
export { Vonage } from './vonage.js'
