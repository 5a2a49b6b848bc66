import {
  type RejectReason,
  type Sentence,
  type StreamTarget,
  type Transfer,
  tokenParameter,
} from './carrier.js'
import { xmlElement as element } from './xml.js'

const respond = (...verbs: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>${element('Response', {}, ...verbs)}`

/** TwiML that connects the call to a media socket. Without a further verb, the call ends with the stream. */
export function connectMarkup({ url, token }: StreamTarget): string {
  const parameter = element('Parameter', { name: tokenParameter, value: token })
  return respond(element('Connect', {}, element('Stream', { url }, parameter)))
}

/** TwiML that refuses the call before it is answered. Twilio does not bill such calls. */
export const rejectMarkup = (reason: RejectReason) => respond(element('Reject', { reason }))

export const sayMarkup = ({ text, language }: Sentence) =>
  respond(element('Say', { language }, { text }), element('Hangup', {}))

export function transferMarkup({ to, from }: Transfer): string {
  const target = /^sips?:/.test(to) ? 'Sip' : 'Number'
  return respond(element('Dial', { callerId: from }, element(target, {}, { text: to })))
}
