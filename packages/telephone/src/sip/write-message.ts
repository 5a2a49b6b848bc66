import type { SipMessage } from './message.js'

const spellings: Readonly<Record<string, string>> = {
  'call-id': 'Call-ID',
  cseq: 'CSeq',
  'min-se': 'Min-SE',
  'www-authenticate': 'WWW-Authenticate',
}

/** Writes a message with its Content-Length. Line breaks in values become spaces, so that no value can add a header. */
export function writeMessage(message: SipMessage): Buffer {
  const start =
    message.kind === 'request'
      ? `${message.method} ${message.uri} SIP/2.0`
      : `SIP/2.0 ${message.status} ${message.reason}`
  const headers = message.headers
    .filter(([name]) => name !== 'content-length')
    .map(([name, value]) => `${spell(name)}: ${oneLine(value)}`)
  const length = `Content-Length: ${Buffer.byteLength(message.body)}`
  return Buffer.from([oneLine(start), ...headers, length, '', message.body].join('\r\n'))
}

function spell(name: string): string {
  return spellings[name] ?? name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

function oneLine(value: string): string {
  return value.replace(/[\0\r\n]+/g, ' ')
}
