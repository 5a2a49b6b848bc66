import type { IncomingMessage } from 'node:http'

/** The owners of an engine's sessions, and the number of sessions of each. */
export class SessionOwners {
  readonly #ownerOf: ((handshake: IncomingMessage) => string) | undefined
  readonly #maxPerOwner: number
  readonly #sessions = new Map<string, number>()
  #clients = 0

  /** Without `ownerOf`, every client is its own owner. */
  constructor(ownerOf: ((handshake: IncomingMessage) => string) | undefined, maxPerOwner: number) {
    this.#ownerOf = ownerOf
    this.#maxPerOwner = maxPerOwner
  }

  hasRoomFor(handshake: IncomingMessage): boolean {
    const owner = this.#ownerOf?.(handshake)
    return owner === undefined || (this.#sessions.get(owner) ?? 0) < this.#maxPerOwner
  }

  /** Counts a session and returns its owner. */
  add(handshake: IncomingMessage): string {
    this.#clients += 1
    const owner = this.#ownerOf?.(handshake) ?? `client ${this.#clients}`
    this.#sessions.set(owner, (this.#sessions.get(owner) ?? 0) + 1)
    return owner
  }

  remove(owner: string): void {
    const left = (this.#sessions.get(owner) ?? 1) - 1
    if (left > 0) this.#sessions.set(owner, left)
    else this.#sessions.delete(owner)
  }
}
