type Write = (fields: object, message: string) => void

/** The service log: fields for programs and a sentence for people. Neither may contain a secret. */
export interface Log {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}
