import { readStatus, readyForQueryBytes, type SessionStatus } from './wire-messages.js'

export type Block = Uint8Array<ArrayBuffer>

const blockBytes = 256 * 1024

/**
 * Gathers what the database writes, in pieces of a few kilobytes out of memory that it uses again, into blocks that
 * can be handed to another thread. A large result leaves in many blocks while it is still being made.
 */
export class OutputBlocks {
  readonly #send: (block: Block) => void
  #pieces: Block[] = []
  #bytes = 0
  #tail: Uint8Array = new Uint8Array()

  constructor(send: (block: Block) => void) {
    this.#send = send
  }

  append(piece: Uint8Array): void {
    const copy = new Uint8Array(piece)
    this.#pieces.push(copy)
    this.#bytes += copy.length
    this.#keepTail(copy)
    if (this.#bytes >= blockBytes) this.flush()
  }

  flush(): void {
    if (this.#bytes === 0) return
    const [first, ...others] = this.#pieces
    this.#send(first && others.length === 0 ? first : join(this.#pieces, this.#bytes))
    this.#pieces = []
    this.#bytes = 0
  }

  /** The session's status, when the output so far ends with ReadyForQuery. */
  get status(): SessionStatus | null {
    return readStatus(this.#tail)
  }

  /** The last message may be cut in two by the pieces, and the first of them may have been sent. */
  #keepTail(piece: Uint8Array): void {
    const kept = piece.length >= readyForQueryBytes ? piece : Buffer.concat([this.#tail, piece])
    this.#tail = kept.slice(-readyForQueryBytes)
  }
}

function join(pieces: readonly Block[], bytes: number): Block {
  const joined = new Uint8Array(bytes)
  let offset = 0
  for (const piece of pieces) {
    joined.set(piece, offset)
    offset += piece.length
  }
  return joined
}
