import { distance } from 'fastest-levenshtein'
import type { App } from '../services.js'

/** The addresses of all routes, for whoever asks for one that is none of them. */
export interface KnownAddresses {
  /** The methods that some route takes at a path, whatever its parameters are; none where no route has that path. */
  methodsAt(path: string): readonly string[]
  /** Those that may be meant by a path that is none of them, spelled as in the contract. */
  near(path: string): readonly string[]
}

/** Remembers every route that is registered from now on. */
export function collectAddresses(app: App): KnownAddresses {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ method, url }) => {
    const methods = methodsOf.get(url) ?? new Set()
    methodsOf.set(url, methods)
    for (const each of [method].flat()) methods.add(each)
  })
  return {
    methodsAt(path) {
      const segments = path.split('/')
      const fitting = [...methodsOf].filter(([url]) => isFitting(url.split('/'), segments))
      return [...new Set(fitting.flatMap(([, methods]) => [...methods]))].sort()
    },
    near: (path) => findNear(path, [...methodsOf.keys()]).map(spell),
  }
}

function isFitting(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]))
  )
}

const prefix = '/api/v1'

function findNear(path: string, urls: readonly string[]): readonly string[] {
  const segments = path.split('/')
  const withEmptyId = segments.includes('', 1) ? nearest(segments, urls) : []
  // In the middle of an address an id can only have been forgotten; at its end the slash may be too much.
  if (withEmptyId.length > 0 && segments.at(-1) !== '') return withEmptyId
  const written = ['', ...segments.filter((segment) => segment !== '')]
  return [
    ...nearest(written, urls),
    ...nearest([...prefix.split('/'), ...written.slice(1)], urls),
    ...withEmptyId,
  ]
}

/** The addresses with as many parts in which the fewest letters are other ones, case aside; a parameter is any text. */
function nearest(segments: readonly string[], urls: readonly string[]): readonly string[] {
  const edited = urls
    .map((url) => ({ url, edits: editsBetween(url.split('/'), segments) }))
    .filter(({ edits }) => edits !== Number.POSITIVE_INFINITY)
  const fewest = Math.min(...edited.map(({ edits }) => edits))
  return edited.filter(({ edits }) => edits === fewest).map(({ url }) => url)
}

function editsBetween(pattern: readonly string[], segments: readonly string[]): number {
  if (pattern.length !== segments.length) return Number.POSITIVE_INFINITY
  return pattern.reduce((sum, part, index) => sum + editsIn(part, segments[index]), 0)
}

const mostEdits = 2

/** Bounded before it is counted: a stranger wrote the text. */
function editsIn(part: string, text = ''): number {
  if (isParameter(part)) return 0
  if (part.toLowerCase() === text.toLowerCase()) return 0
  // A short part with two other letters is another word.
  const allowed = Math.min(mostEdits, part.length - 3)
  if (Math.abs(part.length - text.length) > allowed) return Number.POSITIVE_INFINITY
  const edits = distance(part.toLowerCase(), text.toLowerCase())
  return edits <= allowed ? edits : Number.POSITIVE_INFINITY
}

function isParameter(part: string): boolean {
  return part.startsWith(':')
}

/** As the contract writes it. */
function spell(url: string): string {
  return url.replaceAll(/:(\w+)/g, '{$1}')
}
