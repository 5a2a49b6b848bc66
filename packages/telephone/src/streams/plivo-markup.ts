import {
  type RejectReason,
  type Sentence,
  type StreamTarget,
  type Transfer,
  tokenParameter,
} from './carrier.js'
import { isSipAddress, withoutPlus } from './phone-number.js'
import { xmlElement as element, xmlResponse } from './xml.js'

/** Plivo's XML that connects the call to a media socket. Without a further element, the call ends with the stream. */
export function plivoConnectMarkup({ url, token }: StreamTarget): string {
  const attributes = {
    bidirectional: 'true',
    keepCallAlive: 'true',
    contentType: 'audio/x-mulaw;rate=8000',
    extraHeaders: `${tokenParameter}=${token}`,
  }
  return xmlResponse(element('Stream', attributes, { text: url }))
}

export const plivoRejectMarkup = (reason: RejectReason) => xmlResponse(element('Hangup', { reason }))

export const plivoSayMarkup = ({ text, language }: Sentence) =>
  xmlResponse(element('Speak', { language }, { text }), element('Hangup', {}))

export function plivoTransferMarkup({ to, from }: Transfer): string {
  const target = isSipAddress(to)
    ? element('User', {}, { text: to })
    : element('Number', {}, { text: withoutPlus(to) })
  return xmlResponse(element('Dial', { callerId: from && withoutPlus(from) }, target))
}
