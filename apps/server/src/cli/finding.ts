/** The result of one check of `parley doctor`. */
export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'warn' | 'wrong'
  readonly says: string
  /** The next step for the operator. Null if the check passed. */
  readonly todo: string | null
}

export const fine = (check: string, says: string): Finding => ({ check, level: 'ok', says, todo: null })
export const warning = (check: string, says: string, todo: string): Finding => ({
  check,
  level: 'warn',
  says,
  todo,
})
export const wrong = (check: string, says: string, todo: string): Finding => ({
  check,
  level: 'wrong',
  says,
  todo,
})
