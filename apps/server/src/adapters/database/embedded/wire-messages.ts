/** A client broke the protocol; its connection ends, the database does not. */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation'
}

/** The first byte of the messages that a client may send. */
export const clientMessage = {
  bind: 0x42,
  close: 0x43,
  copyData: 0x64,
  copyDone: 0x63,
  copyFail: 0x66,
  describe: 0x44,
  execute: 0x45,
  flush: 0x48,
  parse: 0x50,
  query: 0x51,
  sync: 0x53,
  terminate: 0x58,
} as const

const readyForQuery = 0x5a

/** What the database says of the session whenever it is ready for the next query. */
export type SessionStatus = 'idle' | 'transaction' | 'failed'

const statusLetters = { idle: 'I', transaction: 'T', failed: 'E' } as const satisfies Record<
  SessionStatus,
  string
>

export const readyForQueryBytes = 6

/** The session's status, when these bytes are a ReadyForQuery message. */
export function readStatus(bytes: Uint8Array): SessionStatus | null {
  if (bytes.length !== readyForQueryBytes || bytes[0] !== readyForQuery || bytes[4] !== 5) return null
  const letter = String.fromCharCode(bytes[5] ?? 0)
  return (['idle', 'transaction', 'failed'] as const).find((name) => statusLetters[name] === letter) ?? null
}

export function makeReadyForQuery(status: SessionStatus): Buffer {
  return makeMessage('Z', Buffer.from(statusLetters[status]))
}

export function makeMessage(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const header = Buffer.alloc(5, type, 'latin1')
  header.writeInt32BE(4 + parts.reduce((total, part) => total + part.length, 0), 1)
  return Buffer.concat([header, ...parts])
}

/** Zero-terminated strings in a row, as messages carry them. */
export function makeStrings(...strings: readonly string[]): Buffer {
  return Buffer.from(strings.map((string) => `${string}\0`).join(''))
}

export interface ErrorFields {
  readonly severity: 'ERROR' | 'FATAL'
  readonly code: string
  readonly message: string
  readonly hint?: string
}

export function makeErrorResponse({ severity, code, message, hint }: ErrorFields): Buffer {
  const fields = [`S${severity}`, `V${severity}`, `C${code}`, `M${message}`]
  return makeMessage('E', makeStrings(...fields, ...(hint === undefined ? [] : [`H${hint}`]), ''))
}

/** What a server says first: no password is asked for, and these are its settings. */
export function makeGreeting(settings: Readonly<Record<string, string>>): Buffer {
  const noPassword = Buffer.alloc(4)
  const noCancelKey = Buffer.alloc(8)
  return Buffer.concat([
    makeMessage('R', noPassword),
    ...Object.entries(settings).map(([name, value]) => makeMessage('S', makeStrings(name, value))),
    makeMessage('K', noCancelKey),
    makeReadyForQuery('idle'),
  ])
}
