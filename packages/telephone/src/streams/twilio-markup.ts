import {
  type RejectReason,
  type Sentence,
  type StreamTarget,
  type Transfer,
  tokenParameter,
} from './carrier.js'
import { xmlElement as element, xmlResponse } from './xml.js'

/** TwiML that connects the call to a media socket. Without a further verb, the call ends with the stream. */
export function connectMarkup({ url, token }: StreamTarget): string {
  const parameter = element('Parameter', { name: tokenParameter, value: token })
  return xmlResponse(element('Connect', {}, element('Stream', { url }, parameter)))
}

/** TwiML that refuses the call before it is answered. Twilio does not bill such calls. */
export const rejectMarkup = (reason: RejectReason) => xmlResponse(element('Reject', { reason }))

export const sayMarkup = ({ text, language }: Sentence) =>
  xmlResponse(element('Say', { language }, { text }), element('Hangup', {}))

export function transferMarkup({ to, from }: Transfer): string {
  const target = /^sips?:/.test(to) ? 'Sip' : 'Number'
  return xmlResponse(element('Dial', { callerId: from }, element(target, {}, { text: to })))
}
