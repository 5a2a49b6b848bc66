import { describe, expect, test } from 'vitest'
import { sourceFilesIn, withoutComments, workspaces } from './source-files.js'

const files = sourceFilesIn(...workspaces.flatMap((name) => [`${name}/src`, `${name}/test`]), 'scripts')

const linesOf = (text: string) => text.replace(/\n$/, '').split('\n').length

/** Returns the files that contain the forbidden text, each with its first occurrence. */
function holding(pattern: RegExp, read: (text: string) => string = (text) => text): string[] {
  return files.flatMap(({ path, text }) => {
    const match = pattern.exec(read(text))
    return match ? [`${path}: ${match[0].trim()}`] : []
  })
}

// Assembled here, so that this file itself does not match.
const join = (...parts: readonly string[]) => parts.join('')
const anyType = new RegExp(
  String.raw`(?:(?::|\bas|<|\||&|,|=>|\bextends|\bsatisfies)\s*${'any'}\b(?=\s*(?:[;,)\]>}=|&[]|$)))`,
  'm',
)
const suppression = new RegExp(
  [
    join('biome', '-ignore'),
    join('@ts', '-(?:ignore|expect-error|nocheck)'),
    join('eslint', '-disable'),
  ].join('|'),
)
const skippedTest = new RegExp(
  String.raw`\b(?:test|it|describe)${join('\\.', '(?:skip|skipIf|runIf|todo|only|fails)')}\b|\b${join('x', '(?:it|test|describe)')}\(`,
)
/** A pause in a test: a promise that a timer resolves, or the one of node:timers/promises. */
const sleep = new RegExp(
  [
    String.raw`new Promise(?:<\w+>)?\(\s*\(?(\w+)\)?\s*=>\s*(?:void )?${'setTimeout'}\(\s*(?:\1|\(\) => \1)\b`,
    String.raw`import \{[^}]*\b(?:${'setTimeout'}|scheduler)\b[^}]*\} from 'node:timers/promises'`,
  ].join('|'),
)

/**
 * Files that sleep, each with its reason. Biome excepts the same files from its rule. This list may only
 * shrink.
 */
const sleepers: Readonly<Record<string, string>> = {
  'apps/server/test/scenarios/process/shutdown.process.test.ts':
    'there is no outside sign that a shutdown has reached the database',
  'apps/server/test/support/agent-tests/planted-model.ts': 'simulates a model that answers too late',
  'apps/server/test/support/browser/browser.browser.test.ts':
    'contains page code that waits for its microphone',
  'apps/server/test/support/scripted-chat-server.ts': 'simulates a slow model',
  'apps/server/test/support/speech/spoken-session.ts': 'sends audio in real time',
  'apps/server/test/support/tools/mcp-server.mjs': 'simulates a slow server',
  'packages/engine/test/support/voice.ts': 'sends audio in real time',
}

const vagueName = /^(?:utils?|helpers?|misc|common|types?|base|manager)$|-(?:utils?|helpers?|misc|manager)$/

/** Returns whether a file or folder has a name that says nothing about its contents. */
function isUnspecific(path: string): boolean {
  return path.split('/').some((part) => vagueName.test(part.split('.', 1)[0] ?? ''))
}

describe('the source files [HOUSE-2]', () => {
  test('exist', () => {
    expect(files.length).toBeGreaterThan(150)
  })

  test('have at most 400 lines each', () => {
    const long = files.filter(({ text }) => linesOf(text) > 400)
    expect(long.map(({ path, text }) => `${path}: ${linesOf(text)}`)).toEqual([])
  })

  test('parse URLs with parseUrl, which reports the reason of an error', () => {
    expect(holding(/URL\.canParse\(/, withoutComments)).toEqual([])
  })

  test('use no `any` type', () => {
    expect(holding(anyType, withoutComments)).toEqual([])
  })

  test('suppress no warnings', () => {
    expect(holding(suppression)).toEqual([])
  })

  test('skip no tests', () => {
    expect(holding(skippedTest, withoutComments)).toEqual([])
  })

  test('do not sleep in tests', () => {
    const sleeping = files
      .filter(({ path, text }) => path.includes('/test/') && sleep.test(withoutComments(text)))
      .map(({ path }) => path)
    expect(sleeping).toEqual(Object.keys(sleepers))
  })

  test('have names that describe their contents', () => {
    const unspecific = files.map(({ path }) => path).filter(isUnspecific)
    expect(unspecific).toEqual([])
  })
})

describe('the checks of source files [HOUSE-2]', () => {
  const any = join('an', 'y')
  const found: readonly (readonly [RegExp, string])[] = [
    [anyType, `let x: ${any}`],
    [anyType, `let x: ${any} = 1`],
    [anyType, `const f = (x: ${any}) => x`],
    [anyType, `x as ${any}`],
    [anyType, `x as ${any}[]`],
    [anyType, `Promise<${any}>`],
    [anyType, `Record<string, ${any}>`],
    [anyType, `type X = string | ${any}`],
    [anyType, `let x: ${any}[]`],
    [suppression, `// ${join('biome', '-ignore')} lint: because`],
    [suppression, `// ${join('@ts', '-expect-error')}`],
    [suppression, `/* ${join('eslint', '-disable')} */`],
    [sleep, `await new Promise((resolve) => ${join('set', 'Timeout')}(resolve, 5))`],
    [sleep, `await new Promise<void>((done) => ${join('set', 'Timeout')}(() => done(), 5))`],
    [skippedTest, `test${join('.', 'skip')}('x')`],
    [skippedTest, `describe${join('.', 'only')}('x')`],
    [skippedTest, `test${join('.', 'todo')}('x')`],
    [skippedTest, `${join('x', 'it')}('x')`],
  ]

  test.each(found)('%s finds %s', (pattern, text) => {
    expect(pattern.test(text)).toBe(true)
  })

  const innocent: readonly (readonly [RegExp, string])[] = [
    [anyType, `const words = 'ISO 8601: ${any} offset is taken'`],
    [anyType, `const first = await Promise.${any}([a, b])`],
    [anyType, `expect.${any}(String)`],
    [anyType, 'const company: Company = x'],
    [skippedTest, `items${join('.', 'skip')}(1)`],
    [skippedTest, 'test.each(rows)'],
  ]

  test.each(innocent)('%s does not find %s', (pattern, text) => {
    expect(pattern.test(text)).toBe(false)
  })

  test.each([
    'src/string-utils.ts',
    'src/helpers/text.ts',
    'src/session-manager.ts',
    'src/types.ts',
    'test/base.test.ts',
  ])('the forbidden names include %s', (path) => expect(isUnspecific(path)).toBe(true))

  test.each(['src/agent-tool.ts', 'src/content-type.ts', 'src/database.ts', 'src/library/commons.ts'])(
    'the forbidden names do not include %s',
    (path) => expect(isUnspecific(path)).toBe(false),
  )
})
