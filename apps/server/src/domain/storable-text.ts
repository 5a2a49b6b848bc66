/** Removes characters that a database cannot store from text of others. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
