/** A name as the most lenient reader compares it: without letter case, the long s and the Kelvin sign included. */
export function foldCase(name: string): string {
  return name.trim().toUpperCase().toLowerCase()
}
