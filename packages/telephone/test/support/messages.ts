import type { SipRequest, SipResponse } from '#telephone/sip/message.js'
import { parseMessage } from '#telephone/sip/parse-message.js'

/** A message of lines, with an empty one at the end of its headers. */
export function text(...lines: readonly string[]): Buffer {
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
}

export function parsed(bytes: Buffer): SipRequest | SipResponse {
  const outcome = parseMessage(bytes)
  if (!outcome.ok) throw new Error(`The message is malformed: ${outcome.reason}.`)
  return outcome.message
}

/** An INVITE with all mandatory headers, with some of them replaced. */
export function inviteLines(replaced: Readonly<Record<string, string>> = {}): string[] {
  const headers: Record<string, string> = {
    Via: 'SIP/2.0/UDP 192.0.2.2:5060;branch=z9hG4bKabc',
    From: '<sip:ann@example.com>;tag=a1',
    To: '<sip:bob@example.com>',
    'Call-ID': 'one@example.com',
    CSeq: '1 INVITE',
    'Max-Forwards': '70',
    Contact: '<sip:ann@192.0.2.2>',
    ...replaced,
  }
  return [
    'INVITE sip:bob@example.com SIP/2.0',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
}
