/** The codes of authenticators: six digits that change every 30 seconds. */
export interface OneTimeCodes {
  /** A new secret, in base32. */
  newSecret(): string
  /** The address that authenticators read from a QR code. */
  uriOf(secret: string, account: string): string
  /** The step of this moment. */
  stepAt(now: Date): number
  /** The step that a code is of, where it is one of about now; null where it is none. */
  stepOf(secret: string, code: string, now: Date): number | null
}
