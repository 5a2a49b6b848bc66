import { nlp } from './nlp.js'

/** A name, or several words that are written as one. */
const properName = String.raw`((?:[A-Z][\w'-]*)(?:\s+(?:of|the|de|van|von)?\s*[A-Z][\w'-]*)*)`

const neverNames = new Set(
  'I The A An What When Where Who How Please Can Could Will Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(
    ' ',
  ),
)

/** A place that was named: after "in", where the words know one, or any name that follows the right word. */
export function findPlace(text: string, nameWords: readonly string[]): string | null {
  const isOrigin = nameWords.some((word) => ['origin', 'from', 'departure', 'source'].includes(word))
  const isDestination = nameWords.some((word) => ['destination', 'to', 'arrival', 'target'].includes(word))
  const before = isOrigin ? 'from' : isDestination ? 'to|for' : 'in|at|near|for|about|of|to|from'
  return (
    afterWord(text, before) ??
    (isOrigin || isDestination ? null : clean(nlp(text).places().out('array')[0])) ??
    (isOrigin || isDestination ? null : lowerCasePlace(text))
  )
}

/** Places that people ask for and that no zone is named after. */
const zonesByPlace = new Map(
  Object.entries({
    'America/New_York': 'boston,washington,miami,atlanta,philadelphia,new york city',
    'America/Chicago': 'houston,dallas,austin',
    'America/Los_Angeles': 'san francisco,seattle,san diego,las vegas,california',
    'Europe/London': 'england,uk,united kingdom,great britain,britain,manchester,scotland,edinburgh',
    'Europe/Berlin': 'germany,munich,hamburg,frankfurt,cologne',
    'Europe/Paris': 'france,lyon',
    'Europe/Rome': 'italy,milan,naples',
    'Europe/Madrid': 'spain,barcelona',
    'Europe/Zurich': 'switzerland,geneva,bern',
    'Europe/Vienna': 'austria',
    'Asia/Tokyo': 'japan,osaka',
    'Asia/Shanghai': 'china,beijing',
    'Asia/Kolkata': 'india,mumbai,delhi,new delhi,bangalore',
    'Asia/Seoul': 'korea,south korea',
  }).flatMap(([zone, places]) => places.split(',').map((place) => [place, zone] as const)),
)

/** The time zone of a place. */
export function findZone(text: string): string | null {
  const place = findPlace(text, [])?.toLowerCase()
  if (place === undefined) return null
  const ending = `/${place.replaceAll(' ', '_')}`
  const named = Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase().endsWith(ending))
  return named ?? zonesByPlace.get(place) ?? null
}

/** Somebody who was named. */
export function findPerson(text: string): string | null {
  return (
    capitalised(clean(nlp(text).people().out('array')[0])) ??
    afterWord(text, 'to|with|for|named|called|customer|client|from|is|by|about')
  )
}

function afterWord(text: string, words: string): string | null {
  for (const match of text.matchAll(new RegExp(String.raw`\b(?:${words})\s+(?:the\s+)?${properName}`, 'g'))) {
    const name = clean(match[1])
    if (name !== null && !neverNames.has(name)) return name
  }
  return null
}

/** Recognisers sometimes write a place small. */
function lowerCasePlace(text: string): string | null {
  const match = /\b(?:in|near)\s+(?!the\b|a\b|an\b|my\b|our\b|your\b|\d)([a-z][a-z'-]+)\s*[.?!]?$/.exec(text)
  return clean(match?.[1])
}

/** Recognisers sometimes write a person small as well. */
function capitalised(name: string | null): string | null {
  return name?.replace(/(?<=^|\s)[a-z]/g, (letter) => letter.toUpperCase()) ?? null
}

function clean(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const plain = name
    .replace(/[.?!,;:]+$/, '')
    .replace(/'s$/, '')
    .trim()
  return plain === '' ? null : plain
}
