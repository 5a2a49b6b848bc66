/** Keeps secrets unreadable at rest. */
export interface Cipher {
  /** Encrypts `secret` so that it opens only under the same `context`, the place where it is stored. */
  seal(secret: string, context: string): string
  /** Gives back what was sealed under this context; throws where key, context or text differ. */
  open(sealed: string, context: string): string
  /** Whether it was sealed with the secret that seals now, and not with one that only opens still. */
  isCurrent(sealed: string, context: string): boolean
}
