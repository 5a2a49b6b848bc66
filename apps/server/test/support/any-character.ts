import fc from 'fast-check'

/** The start of the surrogate range, whose code points are not characters, and its size. */
const halves = { from: 0xd800, count: 0x800 }

/**
 * Any character, like fast-check's 'binary' unit, but without the table of a million characters that
 * fast-check builds for it.
 */
export const anyCharacter = fc.nat({ max: 0x10_ffff - halves.count }).map(characterOf, numberOf)

function characterOf(number: number): string {
  return String.fromCodePoint(number < halves.from ? number : number + halves.count)
}

function numberOf(character: unknown): number {
  const point = typeof character === 'string' ? (character.codePointAt(0) ?? 0) : 0
  const number = point < halves.from ? point : point - halves.count
  if (characterOf(number) !== character) throw new Error('It is not one character.')
  return number
}
