export type Block = Uint8Array<ArrayBuffer>

const blockBytes = 256 * 1024
const readyForQuery = Buffer.from('Z\0\0\0\u0005', 'latin1')
const readyForQueryBytes = 6

/**
 * Gathers the output of one message in blocks that can be transferred to another thread. PGlite writes it in pieces of a few
 * kilobytes and reuses their memory. A large result leaves in many blocks while PostgreSQL is still producing it.
 */
export class Output {
  readonly #send: (block: Block) => void
  #pieces: Block[] = []
  #bytes = 0
  #tail = Buffer.alloc(0)

  constructor(send: (block: Block) => void) {
    this.#send = send
  }

  append(piece: Uint8Array): void {
    this.#pieces.push(new Uint8Array(piece))
    this.#bytes += piece.length
    if (this.#bytes >= blockBytes) this.flush()
  }

  flush(): void {
    if (this.#bytes === 0) return
    const [first, ...others] = this.#pieces
    const block = first && others.length === 0 ? first : joinBytes(this.#pieces)
    this.#pieces = []
    this.#bytes = 0
    this.#tail = Buffer.concat([this.#tail, block.subarray(-readyForQueryBytes)]).subarray(
      -readyForQueryBytes,
    )
    this.#send(block)
  }

  /** Whether the flushed output ends with ReadyForQuery. */
  get isReady(): boolean {
    return this.#tail.length === readyForQueryBytes && this.#tail.subarray(0, 5).equals(readyForQuery)
  }
}

/** Copies the pieces into memory that can be transferred. */
export function joinBytes(pieces: readonly Uint8Array[]): Block {
  const joined = new Uint8Array(pieces.reduce((bytes, piece) => bytes + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    joined.set(piece, offset)
    offset += piece.length
  }
  return joined
}
