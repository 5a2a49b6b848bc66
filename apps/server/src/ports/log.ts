type Write = (fields: object, message: string) => void

/** The service log: fields for programs, a sentence for people. Never a secret in either. */
export interface Log {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}
