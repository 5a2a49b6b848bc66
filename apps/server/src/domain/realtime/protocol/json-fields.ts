/** A JSON object whose fields are not validated. */
export type Fields = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value of a JSON text, or undefined if the text is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a string field, or null if it has another type. */
export function textField(fields: Fields | null, name: string): string | null {
  const value = fields?.[name]
  return typeof value === 'string' ? value : null
}

/**
 * Far longer than the ids of any provider. The limit exists because ids are stored for the whole session, and
 * a frame may be large.
 */
const maxIdCharacters = 256

/** Returns an id field, or null if it has another type or is too long to store. */
export function idField(fields: Fields | null, name: string): string | null {
  const id = textField(fields, name)
  return id === null || id.length > maxIdCharacters ? null : id
}

/** Returns a finite number field, or null if it has another type. */
export function numberField(fields: Fields | null, name: string): number | null {
  const value = fields?.[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Returns an object field, or null if it has another type. */
export function objectField(fields: Fields | null, name: string): Fields | null {
  const value = fields?.[name]
  return isObject(value) ? value : null
}

/** Returns the objects in a list field. Other elements are skipped. */
export function listField(fields: Fields | null, name: string): readonly Fields[] {
  const value = fields?.[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []
}

/** Returns the text, or null if it is blank. */
export function unlessBlank(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text
}
