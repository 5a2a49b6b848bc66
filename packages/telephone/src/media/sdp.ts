import { isIPv4 } from 'node:net'
import type { Codec } from '../leg.js'
import { masterKeyBytes, srtpSuite } from './srtp.js'

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

export interface AudioPayload {
  readonly type: number
  readonly codec: Codec
}

export interface CryptoKey {
  readonly tag: string
  readonly master: Buffer
}

/** One `m=` line with its attributes. Only audio can be accepted. */
export interface MediaSection {
  /** The line's kind and formats, for an answer that rejects it. */
  readonly kind: string
  readonly formats: string
  readonly profile: string
  readonly port: number
  /** Null if it is a host name. The first packet then tells the address. */
  readonly address: string | null
  readonly payloads: readonly AudioPayload[]
  readonly telephoneEvent: number | null
  readonly keys: readonly CryptoKey[]
  readonly direction: Direction
}

const maxLines = 500
const maxSections = 16

const staticPayloads: Readonly<Record<number, Codec>> = { 0: 'g711_ulaw', 8: 'g711_alaw' }
const codecNames: Readonly<Record<string, Codec>> = { PCMU: 'g711_ulaw', PCMA: 'g711_alaw' }

/** Returns the media sections of a session description, or null if it is malformed or too long. */
export function parseSdp(text: string): readonly MediaSection[] | null {
  const lines = text.split(/\r\n|\n/)
  if (lines.length > maxLines || !lines[0]?.startsWith('v=0')) return null
  const starts = lines.flatMap((line, index) => (line.startsWith('m=') ? [index] : []))
  if (starts.length === 0 || starts.length > maxSections) return null
  const session = lines.slice(0, starts[0])
  const sections = starts.map((start, index) => parseSection(lines.slice(start, starts[index + 1]), session))
  return sections.every((section) => section !== null) ? sections : null
}

function parseSection(lines: readonly string[], session: readonly string[]): MediaSection | null {
  const match = /^m=(\S{1,32}) (\d{1,5})(?:\/\d+)? (\S{1,64}) (\S.*)$/.exec(lines[0]?.trimEnd() ?? '')
  if (match === null) return null
  const [, kind = '', port = '', profile = '', formats = ''] = match
  if (Number(port) > 65_535) return null
  // The section's own lines win over those of the session.
  const value = (pattern: RegExp) => firstMatch(lines, pattern) ?? firstMatch(session, pattern)
  const address = value(/^c=IN IP4 ([^\s/]+)/)
  const direction = value(/^a=(sendrecv|sendonly|recvonly|inactive)\s*$/)
  const isOldHold = address === '0.0.0.0'
  return {
    kind,
    formats,
    profile,
    port: Number(port),
    address: address !== null && isIPv4(address) && !isOldHold ? address : null,
    payloads: payloadsOf(formats, lines),
    telephoneEvent: telephoneEventOf(formats, lines),
    keys: lines.map(parseKey).filter((key) => key !== null),
    direction: isOldHold ? 'inactive' : ((direction ?? 'sendrecv') as Direction),
  }
}

function firstMatch(lines: readonly string[], pattern: RegExp): string | null {
  for (const line of lines) {
    const [, found] = pattern.exec(line) ?? []
    if (found !== undefined) return found
  }
  return null
}

/** The codecs in the order of preference. PCMU and PCMA have fixed numbers, but may have others as well. */
function payloadsOf(formats: string, lines: readonly string[]): AudioPayload[] {
  const names = new Map<number, string>()
  for (const line of lines) {
    const [, type = '', name = '', rate = ''] = /^a=rtpmap:(\d{1,3}) ([\w.-]+)\/(\d+)/.exec(line) ?? []
    if (type !== '') names.set(Number(type), rate === '8000' ? name.toUpperCase() : '')
  }
  return formats.split(/\s+/).flatMap((format) => {
    const type = Number(format)
    const name = names.get(type)
    const codec = name === undefined ? staticPayloads[type] : codecNames[name]
    return codec === undefined ? [] : [{ type, codec }]
  })
}

function telephoneEventOf(formats: string, lines: readonly string[]): number | null {
  const type = firstMatch(lines, /^a=rtpmap:(\d{1,3}) telephone-event\/8000/i)
  return type !== null && Number(type) < 128 && formats.split(/\s+/).includes(type) ? Number(type) : null
}

/** Keys with an index (MKI) or with parameters that change the encryption are left out. */
function parseKey(line: string): CryptoKey | null {
  const pattern = /^a=crypto:(\d{1,9}) (\S+) inline:([A-Za-z0-9+/]{40}={0,2})((?:\|2\^\d+|\|\d+)?)\s*$/
  const [, tag, suite, key = ''] = pattern.exec(line) ?? []
  if (tag === undefined || suite !== srtpSuite) return null
  const master = Buffer.from(key, 'base64')
  return master.length === masterKeyBytes ? { tag, master } : null
}

export interface OwnMedia {
  readonly address: string
  readonly port: number
  readonly sessionId: number
  readonly version: number
}

export interface AudioDescription {
  readonly profile: string
  readonly payloads: readonly AudioPayload[]
  readonly telephoneEvent: number | null
  readonly key: CryptoKey | null
  readonly direction: Direction
}

/** Writes an offer or an answer. An answer has a section for each of the offer, in the same order. */
export function writeSdp(own: OwnMedia, sections: readonly (AudioDescription | MediaSection)[]): string {
  const { address, port, sessionId, version } = own
  const lines = [
    'v=0',
    `o=- ${sessionId} ${version} IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    ...sections.flatMap((section) =>
      'kind' in section
        ? [`m=${section.kind} 0 ${section.profile} ${section.formats}`]
        : describe(section, port),
    ),
  ]
  return `${lines.join('\r\n')}\r\n`
}

function describe({ profile, payloads, telephoneEvent, key, direction }: AudioDescription, port: number) {
  const types = [...payloads.map(({ type }) => type), ...(telephoneEvent === null ? [] : [telephoneEvent])]
  return [
    `m=audio ${port} ${profile} ${types.join(' ')}`,
    ...payloads.map(({ type, codec }) => `a=rtpmap:${type} ${codec === 'g711_ulaw' ? 'PCMU' : 'PCMA'}/8000`),
    ...(telephoneEvent === null
      ? []
      : [`a=rtpmap:${telephoneEvent} telephone-event/8000`, `a=fmtp:${telephoneEvent} 0-15`]),
    'a=ptime:20',
    ...(key === null ? [] : [`a=crypto:${key.tag} ${srtpSuite} inline:${key.master.toString('base64')}`]),
    `a=${direction}`,
  ]
}

const reversed = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
} as const

/** Returns our direction for the peer's, if this side holds the call or not: RFC 3264 section 6.1. */
export function answerDirection(peer: Direction, isHeld: boolean): Direction {
  const own = reversed[peer]
  if (!isHeld) return own
  return own === 'sendrecv' || own === 'sendonly' ? 'sendonly' : 'inactive'
}
