/** Somebody else's words without what no database can hold. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
