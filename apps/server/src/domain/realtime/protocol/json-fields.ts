/** An unchecked JSON object. */
export type Fields = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a JSON text, or undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads a field that should be text. */
export function textField(fields: Fields | null, name: string): string | null {
  const value = fields?.[name]
  return typeof value === 'string' ? value : null
}

/** Far more than any provider's: an id is kept for as long as the session, and a frame may be large. */
const maxIdCharacters = 256

/** Reads a field that should be an id; one that is too long to be kept is none. */
export function idField(fields: Fields | null, name: string): string | null {
  const id = textField(fields, name)
  return id === null || id.length > maxIdCharacters ? null : id
}

/** Reads a field that should be a finite number. */
export function numberField(fields: Fields | null, name: string): number | null {
  const value = fields?.[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Reads a field that should be an object. */
export function objectField(fields: Fields | null, name: string): Fields | null {
  const value = fields?.[name]
  return isObject(value) ? value : null
}

/** Reads a field that should be a list; what is no object in it is left out. */
export function listField(fields: Fields | null, name: string): readonly Fields[] {
  const value = fields?.[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []
}

/** A text, or null where it is nothing but white space. */
export function unlessBlank(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text
}
