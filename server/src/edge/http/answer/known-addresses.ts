import type { App } from '../services.js'

/** The methods that some route takes at a path, whatever its parameters are; none where no route has that path. */
export type AllowedMethods = (path: string) => readonly string[]

/** Remembers every route that is registered from now on. */
export function collectAllowedMethods(app: App): AllowedMethods {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ method, url }) => {
    const methods = methodsOf.get(url) ?? new Set()
    methodsOf.set(url, methods)
    for (const each of [method].flat()) methods.add(each)
  })
  return (path) => {
    const segments = path.split('/')
    const fitting = [...methodsOf].filter(([url]) => isFitting(url.split('/'), segments))
    return [...new Set(fitting.flatMap(([, methods]) => [...methods]))].sort()
  }
}

function isFitting(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  )
}
