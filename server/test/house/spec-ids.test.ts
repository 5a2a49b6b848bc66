import { describe, expect, test } from 'vitest'
import { readProjectFile, sourceFilesIn, withoutComments, workspaces } from './source-files.js'

const id = String.raw`(?:\d+(?:\.\d+)?|[A-Z]+)-\d+`
const ruleRow = new RegExp(String.raw`^\| (${id}) \| .+ \|$`, 'gm')
/** A title, or a place in it, that quotes one rule or several: `[AUD-3] `, `[API-9, API-10] `, or at its end. */
const quotation = new RegExp(
  String.raw`(?<=^.|\s)\[(${id}(?:, ${id})*)\](?: |(?<=[A-Z]-\d+\])(?=['"\`]))`,
  'g',
)
const literal = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g

function rulesIn(specification: string): string[] {
  return [...specification.matchAll(ruleRow)].map((match) => match[1] ?? '')
}

/** The rules that the titles of a test file quote. Titles are literals; whatever else stands in brackets is code. */
function quotedIn(text: string): string[] {
  const literals = withoutComments(text).match(literal) ?? []
  return literals
    .flatMap((title) => [...title.matchAll(quotation)])
    .flatMap((match) => (match[1] ?? '').split(', '))
}

const rules = rulesIn(readProjectFile('SPEC.md'))
const titles = sourceFilesIn(...workspaces.map((name) => `${name}/test`))
  .filter(({ path }) => !path.endsWith('/spec-ids.test.ts'))
  .map(({ path, text }) => ({ path, quoted: quotedIn(text) }))

describe('SPEC.md', () => {
  test('gives each rule an id of its own', () => {
    expect(rules.length).toBeGreaterThan(70)
    expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([])
  })

  test('has no rule without a test', () => {
    const proven = new Set(titles.flatMap(({ quoted }) => quoted))
    expect(rules.filter((rule) => !proven.has(rule))).toEqual([])
  })

  test('has every rule that a test quotes', () => {
    const unknown = titles.flatMap(({ path, quoted }) =>
      quoted.filter((rule) => !rules.includes(rule)).map((rule) => `${path}: ${rule}`),
    )
    expect(unknown).toEqual([])
  })
})

describe('the reading of rules and titles', () => {
  test('finds the ids of tables', () => {
    const text =
      '| id | rule |\n|---|---|\n| 4-1 | One. |\n| 7.1-3 | Two. |\n| API-16 | Three. |\n| open | done |\n'
    expect(rulesIn(text)).toEqual(['4-1', '7.1-3', 'API-16'])
  })

  const sources = [
    [`test('[AUD-3] has no gap', () => {})`, ['AUD-3']],
    [`describe("[7.1-3] it's our fault", () => {})`, ['7.1-3']],
    ['test.each(rows)(`[API-9, API-10] both`, () => {})', ['API-9', 'API-10']],
    [`test('[DB-1] this [DB-2] that', () => {})`, ['DB-1', 'DB-2']],
    [`// [DB-1] a remark\nconst x = list[A-1]`, []],
    [`test('takes [a-z] and [0]', () => {})`, []],
    ['const text = `digits [1-9]`, pattern = /[0-9]/', []],
  ] as const

  test.each(sources)('of %s', (text, found) => {
    expect(quotedIn(text)).toEqual(found)
  })
})
