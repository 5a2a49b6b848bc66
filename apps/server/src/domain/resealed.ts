import type { Cipher } from '../ports/cipher.js'

/** What was sealed, sealed with the secret that seals now; as it is where it was sealed with that one. */
export function resealed(cipher: Cipher, sealed: string, context: string): string {
  return cipher.isCurrent(sealed, context) ? sealed : cipher.seal(cipher.open(sealed, context), context)
}
