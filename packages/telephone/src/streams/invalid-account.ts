/** A field of an account has a form that the carrier never issues, so that no request was sent. Names the field only. */
export class InvalidAccount extends Error {
  readonly field: string

  constructor(field: string, detail: string) {
    super(`\`${field}\` ${detail}`)
    this.name = 'InvalidAccount'
    this.field = field
  }
}
