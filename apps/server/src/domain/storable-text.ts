/** Removes characters that a database cannot store from untrusted text. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
