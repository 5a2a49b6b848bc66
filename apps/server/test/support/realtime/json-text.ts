import fc from 'fast-check'

/** White space that JSON allows between tokens. */
export const jsonSpace: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(' ', '\n', '\t', '\r\n', '  ', ' \n\t\r ') },
)

const plainCharacter = fc
  .oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
    { weight: 1, arbitrary: fc.integer({ min: 0x7f, max: 0xd7ff }) },
    { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0x10ffff }) },
  )
  .map((point) => String.fromCodePoint(point))
  .filter((character) => character !== '"' && character !== '\\')

const escapeSequence = fc.oneof(
  fc.constantFrom('\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t'),
  fc
    .tuple(fc.nat(0xffff), fc.boolean())
    .map(([unit, isUpper]) => unit.toString(16).padStart(4, '0')[isUpper ? 'toUpperCase' : 'toLowerCase']())
    .map((hex) => `\\u${hex}`),
)

/** A string literal: raw characters of all planes, every escape, and halves of surrogate pairs. */
const jsonString: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 5, arbitrary: plainCharacter }, { weight: 1, arbitrary: escapeSequence }), {
    maxLength: 12,
  })
  .map((pieces) => `"${pieces.join('')}"`)

const jsonNumber = fc.oneof(
  fc.constantFrom('0', '-0', '1E400', '1e-400', '0.10', '-1.5E+003', '123456789012345678901234567890'),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
)

/** An object with these fields in this order and unusual white space. */
export function objectText(fields: readonly (readonly [key: string, value: string])[], spaces: string[]) {
  let used = 0
  const space = () => {
    used += 1
    return spaces.length === 0 ? '' : spaces[used % spaces.length]
  }
  const members = fields.map(([key, value]) => `${space()}${key}${space()}:${space()}${value}${space()}`)
  return `{${members.join(',')}${space()}}`
}

const spaces = fc.array(jsonSpace, { maxLength: 4 })
const sameName = (text: string) => (JSON.parse(text) as string).toLowerCase()

/** Fields of an object without repeated names. */
export const jsonFields = (value: fc.Arbitrary<string>): fc.Arbitrary<[string, string][]> =>
  fc.uniqueArray(fc.tuple(jsonString, value), { maxLength: 4, selector: ([key]) => sameName(key) })

/** Any valid JSON text. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
    fc.oneof(jsonString, jsonNumber, fc.constantFrom('true', 'false', 'null')),
    fc
      .tuple(fc.array(tie('value'), { maxLength: 4 }), jsonSpace)
      .map(([items, space]) => `[${space}${items.join(`${space},`)}]`),
    fc.tuple(jsonFields(tie('value')), spaces).map(([fields, odd]) => objectText(fields, odd)),
  ),
})).value

/** An event as text: one of these types at any position among other fields, in unusual spelling. */
export const eventText = (types: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(types, jsonFields(jsonText), fc.nat(4), spaces)
    .map(([type, fields, at, odd]) =>
      objectText(
        fields.filter(([key]) => sameName(key) !== 'type').toSpliced(at, 0, ['"type"', JSON.stringify(type)]),
        odd,
      ),
    )
