import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a test looks at or changes that belongs to its whole process: open handles, the event loop, the environment. */
const wholeProcess =
  /getActiveResourcesInfo|EventLoopDelay|recogniser-here|memoryUsage|^ *process\.on\(|process\.env(?:\[\w+\]|\.\w+) =/m

/** What makes Node 20 observe every promise, from then on, in the whole process: a browser's driver, and traces. */
const observedPromises = /support\/(?:browser|console)\/|otlp-receiver/

/**
 * What takes long, the longest first: attacks, files of the greatest size, browsers and voices; what gives its tests more
 * time than others have; processes, the embedded database, a service.
 */
const slowParts = [
  /runAttacks|filesOfSize|openConsole|makePerson/,
  /\bslow\b|timeout(?::| =) \d{2,}_000|\}, \d{2,}_000\)/,
  /parley-process\.js|(?:service|talk)-process\.js/,
  /databaseKinds|embedded/,
  /(?:start|use)[A-Z]?\w*Service|Realtime/,
]

export interface TestFiles {
  /** Those that need a process of their own. */
  readonly alone: readonly string[]
  /** Those that make others slower that come after them in the same process. */
  readonly observed: readonly string[]
  /** Those that share what is loaded, one after the other in the same process. */
  readonly together: readonly string[]
}

/** Every test file of the packages, by what it needs. It is read off their text, so that no list has to be kept. */
export function findTestFiles(packages: readonly string[]): TestFiles {
  const files = packages.flatMap((name) =>
    readdirSync(`${name}/test`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => join(name, 'test', path)),
  )
  const found = { alone: [] as string[], observed: [] as string[], together: [] as string[] }
  for (const path of files) found[groupOf(readFileSync(path, 'utf8'))].push(path)
  return found
}

function groupOf(text: string): keyof TestFiles {
  if (wholeProcess.test(text)) return 'alone'
  return observedPromises.test(text) ? 'observed' : 'together'
}

/** Puts the files that take longest first, so that none of them is waited for alone at the end. */
export function compareDuration(one: string, other: string): number {
  const [text, otherText] = [readFileSync(one, 'utf8'), readFileSync(other, 'utf8')]
  return slowness(text) - slowness(otherText) || otherText.length - text.length
}

function slowness(text: string): number {
  const place = slowParts.findIndex((part) => part.test(text))
  return place < 0 ? slowParts.length : place
}
