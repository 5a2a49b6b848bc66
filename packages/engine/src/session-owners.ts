import type { IncomingMessage } from 'node:http'

/** For whom the sessions of an engine work, and how many each has. */
export class SessionOwners {
  readonly #ownerOf: ((handshake: IncomingMessage) => string) | undefined
  readonly #maxPerOwner: number
  readonly #sessions = new Map<string, number>()
  #clients = 0

  /** Without `ownerOf` every client is an owner of its own. */
  constructor(ownerOf: ((handshake: IncomingMessage) => string) | undefined, maxPerOwner: number) {
    this.#ownerOf = ownerOf
    this.#maxPerOwner = maxPerOwner
  }

  hasRoomFor(handshake: IncomingMessage): boolean {
    const owner = this.#ownerOf?.(handshake)
    return owner === undefined || (this.#sessions.get(owner) ?? 0) < this.#maxPerOwner
  }

  /** Counts a session; returns whose it is. */
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
