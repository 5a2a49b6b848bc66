import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const form = /^prl_([A-Za-z0-9]{8})_[A-Za-z0-9_-]{43}$/
const prefixAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A new key: `prl_<8 characters that find it>_<256 random bits>`. */
export function generateApiKey(): string {
  const prefix = [...randomBytes(8)].map((byte) => prefixAlphabet[byte % prefixAlphabet.length]).join('')
  return `prl_${prefix}_${randomBytes(32).toString('base64url')}`
}

/** The part of a key that finds its row, or null where the text is no key at all. */
export function prefixOfApiKey(key: string): string | null {
  return form.exec(key)?.[1] ?? null
}

/** What is stored of a key. It is 256 random bits, so a plain hash cannot be searched back. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex')
}

export function isSameHash(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')]
  return left.length === right.length && timingSafeEqual(left, right)
}
