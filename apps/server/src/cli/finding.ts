/** What one check of the doctor found. */
export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'warn' | 'wrong'
  readonly says: string
  /** What to do; null where all is well. */
  readonly todo: string | null
}

export const fine = (check: string, says: string): Finding => ({ check, level: 'ok', says, todo: null })
export const doubtful = (check: string, says: string, todo: string): Finding => ({
  ...{ check, level: 'warn', says, todo },
})
export const wrong = (check: string, says: string, todo: string): Finding => ({
  ...{ check, level: 'wrong', says, todo },
})
