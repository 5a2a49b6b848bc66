import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Cipher } from '../../ports/cipher.js'

const version = 'v1'
const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM under a key derived from the operator's secret; the context is authenticated, so it cannot be swapped. */
export function makeCipher(secret: string): Cipher {
  const key = Buffer.from(hkdfSync('sha256', secret, 'parley', 'stored secrets', 32))
  return {
    seal(plain, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed, context) {
      const [form, text] = sealed.split('.')
      if (form !== version || text === undefined)
        throw new Error('A stored secret is not in a form this version knows.')
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      const plain = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
      return plain.toString('utf8')
    },
  }
}
