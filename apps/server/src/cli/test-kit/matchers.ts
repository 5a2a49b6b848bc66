import { patternOf } from '@parley/contract'

/** Whether a text holds what is wanted: words whatever their case and spacing, or what a pattern finds. */
export function holdsWords(text: string, wanted: string): boolean {
  const pattern = patternOf(wanted)
  return pattern === null ? plain(text).includes(plain(wanted)) : pattern.test(text)
}

function plain(text: string): string {
  return text.replaceAll(/[‘’]/g, "'").replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

/** Whether a value is what is wanted: as it stands, a text also by a pattern, of objects and lists the parts that are named. */
export function fits(value: unknown, wanted: unknown): boolean {
  if (typeof wanted === 'string') {
    const pattern = patternOf(wanted)
    if (pattern !== null)
      return (typeof value === 'string' || typeof value === 'number') && pattern.test(`${value}`)
    return value === wanted
  }
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((part, index) => fits(value[index], part))
    )
  if (!isRecord(wanted)) return value === wanted
  return isRecord(value) && Object.entries(wanted).every(([name, part]) => fits(value[name], part))
}

/** The arguments of a call; null where they are no JSON. */
export function argumentsOf({ argumentsText }: { readonly argumentsText: string }): unknown {
  try {
    return JSON.parse(argumentsText === '' ? '{}' : argumentsText)
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
