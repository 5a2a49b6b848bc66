import type { Header } from './message.js'
import { escapeUser } from './uri.js'

/** The header of an INVITE that contains the number to show. With the other two, From is the account: RFC 3325. */
export type CallerId = 'from' | 'p_preferred_identity' | 'p_asserted_identity'

/** How a number such as +4930123 is written: +4930123, 004930123 or 4930123. */
export type NumberFormat = 'plus' | 'zeros' | 'digits'

const prefixes: Readonly<Record<NumberFormat, string>> = { plus: '+', zeros: '00', digits: '' }

/** Writes a number in international format. Other names, such as extensions, are returned unchanged. */
export function writeNumber(number: string, format: NumberFormat): string {
  return /^\+[1-9]\d*$/.test(number) ? `${prefixes[format]}${number.slice(1)}` : number
}

export interface Caller {
  /** The URI of From. */
  readonly from: string
  /** The header that contains the number to show, if From does not. */
  readonly identity: readonly Header[]
}

/** Returns how an INVITE names its caller. Without a number to show, it is the account. */
export function makeCaller(
  number: string | undefined,
  line: {
    readonly username: string
    readonly domain: string
    readonly callerId: CallerId
    readonly numberFormat: NumberFormat
  },
): Caller {
  const uriOf = (user: string) => `sip:${escapeUser(user)}@${line.domain}`
  const account = uriOf(line.username)
  if (number === undefined || number === '') return { from: account, identity: [] }
  const shown = uriOf(writeNumber(number, line.numberFormat))
  if (line.callerId === 'from') return { from: shown, identity: [] }
  return { from: account, identity: [[line.callerId.replaceAll('_', '-'), `<${shown}>`]] }
}
