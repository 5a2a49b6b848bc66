import Qty from 'js-quantities'
import { withDigits } from './number-words.js'
import { spokenResult, trustedDigits } from './spoken-result.js'

interface Unit {
  /** As the library calls it. */
  readonly symbol: string
  readonly one: string
  readonly many: string
}

/** `symbol: one, many, other spellings`; what people call by one name and mean differently is named in full. */
const table = `
mm: millimeter, millimeters, mm
cm: centimeter, centimeters, cm, cms
m: meter, meters, m
km: kilometer, kilometers, km, kms, kilometre, kilometres
in: inch, inches
ft: foot, feet, ft
yd: yard, yards
mi: mile, miles
mg: milligram, milligrams, mg
g: gram, grams, g, grammes
kg: kilogram, kilograms, kg, kilo, kilos, kgs
tonne: metric ton, metric tons, tonne, tonnes
oz: ounce, ounces, oz
lb: pound, pounds, lb, lbs
stone: stone, stones
ml: milliliter, milliliters, ml
cl: centiliter, centiliters, cl
l: liter, liters, l
tsp: teaspoon, teaspoons, tsp
tbs: tablespoon, tablespoons, tbsp
floz: US fluid ounce, US fluid ounces, fluid ounce, fluid ounces, fl oz
cup: US cup, US cups, cup, cups
pt: US pint, US pints, pint, pints
qt: US quart, US quarts, quart, quarts
gal: US gallon, US gallons, gallon, gallons
ms: millisecond, milliseconds
s: second, seconds, sec, secs
min: minute, minutes, min, mins
h: hour, hours, hr, hrs
day: day, days
week: week, weeks
m2: square meter, square meters
km2: square kilometer, square kilometers
ft2: square foot, square feet
acre: acre, acres
hectare: hectare, hectares
mph: mile an hour, miles an hour, mph, miles per hour
km/h: kilometer an hour, kilometers an hour, km/h, kmh, kph, kilometers per hour
m/s: meter a second, meters a second, meters per second
tempC: degree Celsius, degrees Celsius, celsius, centigrade, degrees c, °c, c
tempF: degree Fahrenheit, degrees Fahrenheit, fahrenheit, degrees f, °f, f
tempK: kelvin, kelvin
kB: kilobyte, kilobytes, kb
MB: megabyte, megabytes, mb
GB: gigabyte, gigabytes, gb
TB: terabyte, terabytes, tb
`

const units = new Map(
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [symbol = '', names = ''] = line.split(': ')
      const [one = '', many = '', ...others] = names.split(', ')
      const british = [one, many].map((name) => name.replace(/(met|lit)er/, '$1re'))
      return [one, many, ...others, ...british].map(
        (name) => [name.toLowerCase(), { symbol, one, many }] as const,
      )
    }),
)

const unit = `(${[...units.keys()]
  .sort((a, b) => b.length - a.length)
  .map((name) => name.replace(/[/.]/g, '\\$&'))
  .join('|')})`
const amount = String.raw`(-?\d+(?:\.\d+)?|an?|half an?)`

const opening =
  /^(?:(?:ok|okay|so|and|hey|please|well|hi|hello)\b[,.!]? *)*(?:(?:(?:can|could|would) you|do you know|i(?: want| need|'d like| would like) to know)\b *)?(?:please )?(?:tell me *)?/
const ending = /(?:[\s,]*(?:\b(?:for me|please)\b|[?.!]))*$/

type Conversion = readonly [amount: string, from: string, to: string]

const patterns: readonly (readonly [RegExp, (groups: readonly string[]) => Conversion])[] = [
  // How many grams are in two kilos?
  [
    new RegExp(
      `^(?:how many |how much )?${unit} (?:are there in|is there in|are in|is in|make up|make|go into|does|do|are|is|in|per|equals?) ${amount} ${unit}(?: (?:have|has|equal|make|last))?$`,
    ),
    ([to = '', given = '', from = '']) => [given, from, to],
  ],
  // Convert 10 miles to kilometers.
  [
    new RegExp(
      `^(?:convert |change |turn |what is |what's |what are |how (?:much|many|far|long|hot|cold|warm|fast|heavy|big|tall|high) (?:is|are) )?${amount} ${unit} (?:to|into|in|as) ${unit}$`,
    ),
    ([given = '', from = '', to = '']) => [given, from, to],
  ],
  // What is 10 miles in kilometers, said the other way round.
  [
    new RegExp(`^(?:convert |what is |what's )?${amount} ${unit} is how many ${unit}$`),
    ([given = '', from = '', to = '']) => [given, from, to],
  ],
]

/** What calendars count is not of one length, so these are known by heart. */
const calendar: readonly (readonly [RegExp, string])[] = [
  [inCalendar('days', 'year'), 'A year has 365 days, and a leap year 366.'],
  [inCalendar('weeks', 'year'), 'A year has 52 weeks and a day.'],
  [inCalendar('months', 'year'), 'A year has 12 months.'],
  [inCalendar('days', 'month'), 'A month has 28 to 31 days.'],
]

function inCalendar(part: string, whole: string): RegExp {
  return new RegExp(
    `^(?:how many )?${part} (?:(?:are |is )?(?:there )?in|does|make|has|per) (?:a |1 )${whole}(?: have)?$`,
  )
}

/** The answer to a question that turns one unit into another; null for everything else. */
export function convertUnits(words: string): string | null {
  const plain = withDigits(words.toLowerCase().slice(0, 200))
    .replace(/\u2019/g, "'")
    .replace(/(?<=\d),(?=\d{3}\b)/g, '')
    .replace(/\bone\b/g, '1')
    .replace(/(?<=\d)(?=[a-z\u00b0])/g, ' ')
    .trim()
    .replace(opening, '')
    .replace(ending, '')
    .replace(/\s+/g, ' ')
  for (const [pattern, answer] of calendar) if (pattern.test(plain)) return answer
  for (const [pattern, read] of patterns) {
    const match = pattern.exec(plain)
    if (match !== null) return converted(read(match.slice(1)))
  }
  return null
}

export function isUnit(name: string): boolean {
  return name.length > 1 && units.has(name.toLowerCase())
}

/** Null where the one does not measure what the other does. */
export function convertValue(value: number, fromName: string, toName: string): number | null {
  const from = units.get(fromName.toLowerCase())
  const to = units.get(toName.toLowerCase())
  if (from === undefined || to === undefined) return null
  try {
    return Number(
      Qty(value, measured(from, to)).to(measured(to, from)).scalar.toPrecision(trustedDigits.unit),
    )
  } catch {
    // A length is no weight.
    return null
  }
}

function converted([given, fromName, toName]: Conversion): string | null {
  const from = units.get(fromName)
  const to = units.get(toName)
  const value = given.startsWith('half') ? 0.5 : given.startsWith('a') ? 1 : Number(given)
  const result = convertValue(value, fromName, toName)
  if (from === undefined || to === undefined || result === null) return null
  const spoken = spokenResult(result, trustedDigits.unit)
  if (spoken === null) return null
  const verb = value === 1 ? 'is' : 'are'
  return `${spokenResult(value, trustedDigits.sum)} ${named(from, value, to)} ${verb} ${spoken} ${named(to, result, from)}.`
}

/** Ounces of what is poured are another measure than ounces of what is weighed. */
function measured(of: Unit, other: Unit): string {
  return of.symbol === 'oz' && Qty.parse(`1 ${other.symbol}`)?.kind() === 'volume' ? 'floz' : of.symbol
}

function named(of: Unit, value: number, other: Unit): string {
  const shown = measured(of, other) === 'floz' ? (units.get('fluid ounce') ?? of) : of
  return value === 1 ? shown.one : shown.many
}
