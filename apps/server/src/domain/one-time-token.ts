import { hash, randomBytes } from 'node:crypto'

/** A one-time token: 256 random bits. */
export function generateToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of a token. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}
