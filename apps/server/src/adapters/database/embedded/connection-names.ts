import { clientMessage, makeMessage, makeStrings, ProtocolViolation } from './wire-messages.js'

const headerBytes = 5
const targetStatement = 0x53

/**
 * One session lies behind all connections, and a statement's name would be one for all of them. So each connection's
 * names are replaced by names of its own. The new ones are numbers, not the old ones with something before them:
 * PostgreSQL cuts names at 63 bytes, and the difference between two may be at their end.
 */
export class ConnectionNames {
  readonly #prefix: string
  readonly #statements = new Map<string, string>()
  #lastNumber = 0

  constructor(connectionNumber: number) {
    this.#prefix = `c${connectionNumber}_`
  }

  /** The message with this connection's own names in it. */
  rename(message: Buffer): Buffer {
    switch (message[0]) {
      case clientMessage.parse:
        return replaceStrings(message, headerBytes, [this.#nameStatement])
      case clientMessage.bind:
        return replaceStrings(message, headerBytes, [this.#namePortal, this.#nameStatement])
      case clientMessage.execute:
        return replaceStrings(message, headerBytes, [this.#namePortal])
      case clientMessage.describe:
        return replaceStrings(message, headerBytes + 1, [
          message[headerBytes] === targetStatement ? this.#nameStatement : this.#namePortal,
        ])
      case clientMessage.close:
        return replaceStrings(message, headerBytes + 1, [
          message[headerBytes] === targetStatement ? this.#forgetStatement : this.#namePortal,
        ])
      default:
        return message
    }
  }

  /** Messages that make the database forget the statements of this connection; closing an unknown one is no error. */
  closeStatements(): Buffer[] {
    return [...this.#statements.values()].map((name) => makeMessage('C', makeStrings(`S${name}`)))
  }

  readonly #nameStatement = (name: string): string => {
    if (name === '') return name
    const known = this.#statements.get(name)
    if (known !== undefined) return known
    this.#lastNumber += 1
    const renamed = `${this.#prefix}${this.#lastNumber}`
    this.#statements.set(name, renamed)
    return renamed
  }

  readonly #forgetStatement = (name: string): string => {
    const renamed = this.#nameStatement(name)
    this.#statements.delete(name)
    return renamed
  }

  /** Portals end with their transaction, which one connection at a time has: nothing is kept of them. */
  readonly #namePortal = (name: string): string => (name === '' ? name : `${this.#prefix}${name}`)
}

/** Replaces the zero-terminated strings that follow each other from `start` on. */
function replaceStrings(
  message: Buffer,
  start: number,
  replacements: readonly ((name: string) => string)[],
): Buffer {
  let end = start
  let isChanged = false
  const renamed = replacements.map((replace) => {
    const zero = message.indexOf(0, end)
    if (zero === -1) throw new ProtocolViolation('A name in a message does not end.')
    const name = message.toString('utf8', end, zero)
    end = zero + 1
    const replaced = replace(name)
    isChanged ||= replaced !== name
    return replaced
  })
  if (!isChanged) return message
  const type = String.fromCharCode(message[0] ?? 0)
  return makeMessage(
    type,
    message.subarray(headerBytes, start),
    makeStrings(...renamed),
    message.subarray(end),
  )
}
