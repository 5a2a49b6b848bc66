import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Cipher } from '../../ports/secrets.js'

const version = 'v1'
const nonceBytes = 12
const tagBytes = 16

/**
 * The number of recently opened secrets that are cached, because every session and every turn opens the same
 * few.
 */
const maxOpened = 200

export interface RotatingCipher extends Cipher {
  /** Uses this secret for new seals. Existing seals can still be opened. */
  use(secret: string): void
}

/**
 * AES-256-GCM with a key derived from the operator's secret. The context is authenticated, so that a text
 * cannot be moved to another row or field. Texts sealed with `others` can be opened too, because a rotation
 * uses both secrets.
 */
export function makeCipher(secret: string, ...others: readonly string[]): RotatingCipher {
  let [current, older] = [keyOf(secret), others.map(keyOf)]
  const opened = new Map<string, string>()
  return {
    seal(plain, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed, context) {
      const place = `${context} ${sealed}`
      const known = opened.get(place)
      if (known !== undefined) return known
      const fitting = older.find((key) => opens(key, sealed, context))
      const plain = openWith(fitting ?? current, sealed, context)
      if (opened.size >= maxOpened) opened.clear()
      opened.set(place, plain)
      return plain
    },
    isCurrent: (sealed, context) => opens(current, sealed, context),
    use(next) {
      older = [current, ...older]
      current = keyOf(next)
    },
  }
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'parley', 'stored secrets', 32))
}

function opens(key: Buffer, sealed: string, context: string): boolean {
  try {
    openWith(key, sealed, context)
    return true
  } catch {
    return false
  }
}

function openWith(key: Buffer, sealed: string, context: string): string {
  const [form, text] = sealed.split('.')
  if (form !== version || text === undefined)
    throw new Error('The format of a stored secret is unknown to this version.')
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const plain = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
  return plain.toString('utf8')
}
