import { describe, test } from 'vitest'
import { MarkdownSections } from '#server/adapters/file-text/markdown-sections.js'
import { PassageCutter } from '#server/adapters/file-text/passage-cutter.js'
import { readWhole } from '../../support/files/file-text.js'
import { expectLinear } from '../../support/growth.js'

describe('reading Markdown [BND-4]', () => {
  test.each([
    ['a heading of # characters', (size: number) => `# ${'#'.repeat(size)}x`],
    ['headings of # characters', (size: number) => `# ${'# '.repeat(4000)}x\n`.repeat(size / 8000)],
    ['a heading of spaces', (size: number) => `#${' '.repeat(size)}x`],
    ['headings alone', (size: number) => '# \n'.repeat(size / 3)],
    ['a long line', (size: number) => 'x'.repeat(size)],
    ['lines of spaces', (size: number) => `${' '.repeat(500)}\n`.repeat(size / 501)],
    ['spaces alone', (size: number) => ' '.repeat(size)],
    ['half characters', (size: number) => '\ud83d\ude42'.repeat(size / 2)],
    ['fence characters', (size: number) => '```\n'.repeat(size / 4)],
  ])('takes time in proportion to its length: %s', async (_, textOf) => {
    await expectLinear(
      (factor) => Buffer.from(textOf(32_000 * factor)),
      (content) => readWhole(content, 'text/markdown'),
    )
  })
})

describe('a long Markdown heading in one piece [BND-4]', () => {
  test.each([
    ['marks', (size: number) => `# ${'#'.repeat(size)}x\n`],
    ['# characters and spaces alternately', (size: number) => `# ${'# '.repeat(size / 2)}x\n`],
    ['spaces', (size: number) => `# ${' '.repeat(size)}x\n`],
    ['closing # characters', (size: number) => `# x ${'#'.repeat(size)}\n`],
  ])('takes time in proportion to its length: %s', async (_, headingOf) => {
    await expectLinear(
      (factor) => headingOf(4000 * factor),
      (line) => new MarkdownSections(new PassageCutter()).add(line),
    )
  })
})

describe('reading other text [BND-4]', () => {
  test.each([
    ['text/plain', 'lines', (size: number) => 'a\n'.repeat(size / 2)],
    ['text/plain', 'no boundary at all', (size: number) => 'x'.repeat(size)],
    ['text/csv', 'quotes', (size: number) => '"'.repeat(size)],
    ['text/csv', 'cells', (size: number) => 'a,'.repeat(size / 2)],
    ['application/json', 'brackets', (size: number) => `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`],
    ['application/json', 'quotes', (size: number) => `"${'\\"'.repeat(size / 2)}"`],
  ] as const)('takes time in proportion to its length: %s, %s', async (contentType, _, textOf) => {
    await expectLinear(
      (factor) => Buffer.from(textOf(32_000 * factor)),
      (content) => readWhole(content, contentType),
    )
  })
})
