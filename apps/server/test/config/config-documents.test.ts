import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '#server/config/config.js'
import type { Setting } from '#server/config/setting.js'
import { settings } from '#server/config/settings.js'

const rows: readonly (readonly [string, Setting])[] = Object.entries(settings)

function projectFile(path: string): readonly string[] {
  return readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8').split('\n')
}

describe('documented settings [CFG-3]', () => {
  const lines = projectFile('.env.example')
  const assignments = lines.flatMap((line) => {
    const [, name, value] = /^#? ?([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [{ name, value }]
  })

  test('.env.example lists every setting once, in order, and nothing else', () => {
    expect(assignments.map(({ name }) => name)).toEqual(rows.map(([name]) => name))
  })

  test.each(rows)('.env.example explains %s and shows its default commented out', (name, setting) => {
    const at = lines.indexOf(`# ${name}=${setting.default ?? ''}`)
    expect(at).toBeGreaterThan(0)
    expect(lines[at - 1]).toBe(`# ${setting.about}`)
  })

  test('.env.example without its comments is an empty environment', () => {
    const env = Object.fromEntries(assignments.map(({ name, value }) => [name, value]))
    expect(parseConfig(env)).toEqual(parseConfig({}))
  })

  test.each(rows)('docs/reference/configuration.md has a row for %s', (name, setting) => {
    const shown = setting.default === null ? 'unset' : `\`${setting.default}\``
    const accepted = setting.schema.description
      ?.replace(/^a whole number from (\d+) to (\d+)$/, '$1 to $2')
      .replace('an http:// or https:// URL without user, query or fragment', 'a URL')
    const row = `| \`${name}\` | ${shown} | ${accepted} | ${setting.about} |`
    expect(projectFile('docs/reference/configuration.md')).toContain(row)
  })

  test('docs/reference/configuration.md names no setting that does not exist', () => {
    const named = projectFile('docs/reference/configuration.md').flatMap(
      (line) => /^\| `([A-Z_]+)`/.exec(line)?.[1] ?? [],
    )
    expect(named).toEqual(rows.map(([name]) => name))
  })
})
