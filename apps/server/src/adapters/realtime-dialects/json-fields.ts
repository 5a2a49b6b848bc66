/** A JSON object whose fields are not validated. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter(isFields) : []

/** Returns null if the text is not a JSON object. */
export function parseFields(data: Buffer | string): Fields | null {
  try {
    const value: unknown = JSON.parse(data.toString())
    return isFields(value) ? value : null
  } catch {
    return null
  }
}
