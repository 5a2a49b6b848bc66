import { timingSafeEqual } from 'node:crypto'

/** Compares in constant time. The length of a signature is public. */
export function isSameSecret(received: string, expected: string): boolean {
  const [left, right] = [Buffer.from(received), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Returns the only value of a header, or null if it is absent or repeated. */
export function readHeader(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | null {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}
