import { hash, randomBytes, randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const idBytes = 16
/**
 * The number of ids whose random bytes are generated at once. Generating them one by one would take longer
 * than everything else.
 */
const drawn = new DataView(new ArrayBuffer(256 * idBytes))
let used = drawn.byteLength
let milliseconds = 0
let sequence = 0

/** Returns a new id (UUID v7). Ids sort by creation time, even within a millisecond. */
export function newId(): string {
  if (used === drawn.byteLength) {
    randomFillSync(drawn)
    used = 0
  }
  const random = new Uint8Array(drawn.buffer, used, idBytes)
  used += idBytes
  const now = Date.now()
  if (now > milliseconds) {
    milliseconds = now
    // Uses half of the range, so that the counter has room to grow.
    sequence = drawn.getUint32(used - idBytes) >>> 1
  } else {
    sequence = (sequence + 1) | 0
    if (sequence === 0) milliseconds += 1
  }
  return v7({ msecs: milliseconds, seq: sequence, random })
}

/** Returns a one-time token of 256 random bits. */
export function generateToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored hash of a token. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}
