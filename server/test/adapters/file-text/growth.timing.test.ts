import { describe, expect, test } from 'vitest'
import { MarkdownSections } from '#server/adapters/file-text/markdown-sections.js'
import { PassageCutter } from '#server/adapters/file-text/passage-cutter.js'
import { makeReader, readWhole } from '../../support/files/file-text.js'
import { expectLinear } from '../../support/growth.js'

describe('[BND-4] text is read in time in proportion to its length', () => {
  test.each([
    ['a heading of marks', (size: number) => `# ${'#'.repeat(size)}x`],
    ['headings of marks', (size: number) => `# ${'# '.repeat(4000)}x\n`.repeat(size / 8000)],
    ['a heading of spaces', (size: number) => `#${' '.repeat(size)}x`],
    ['headings alone', (size: number) => '# \n'.repeat(size / 3)],
    ['a line without end', (size: number) => 'x'.repeat(size)],
    ['lines of spaces', (size: number) => `${' '.repeat(500)}\n`.repeat(size / 501)],
    ['spaces alone', (size: number) => ' '.repeat(size)],
    ['half characters', (size: number) => '\ud83d\ude42'.repeat(size / 2)],
    ['marks of fences', (size: number) => '```\n'.repeat(size / 4)],
  ])('%s', async (_, textOf) => {
    await expectLinear(
      (factor) => Buffer.from(textOf(32_000 * factor)),
      (content) => readWhole(content, 'text/markdown'),
    )
  })
})

describe('[BND-4] a heading that comes in one piece, however long', () => {
  test.each([
    ['marks', (size: number) => `# ${'#'.repeat(size)}x\n`],
    ['marks and spaces in turn', (size: number) => `# ${'# '.repeat(size / 2)}x\n`],
    ['spaces', (size: number) => `# ${' '.repeat(size)}x\n`],
    ['marks that close it', (size: number) => `# x ${'#'.repeat(size)}\n`],
  ])('%s', async (_, headingOf) => {
    await expectLinear(
      (factor) => headingOf(4000 * factor),
      (line) => new MarkdownSections(new PassageCutter()).add(line),
    )
  })
})

describe('[BND-4] other text', () => {
  test.each([
    ['text/plain', 'lines', (size: number) => 'a\n'.repeat(size / 2)],
    ['text/plain', 'no border at all', (size: number) => 'x'.repeat(size)],
    ['text/csv', 'quotes', (size: number) => '"'.repeat(size)],
    ['text/csv', 'cells', (size: number) => 'a,'.repeat(size / 2)],
    ['application/json', 'brackets', (size: number) => `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`],
    ['application/json', 'quotes', (size: number) => `"${'\\"'.repeat(size / 2)}"`],
  ] as const)('%s: %s', async (contentType, _, textOf) => {
    await expectLinear(
      (factor) => Buffer.from(textOf(32_000 * factor)),
      (content) => readWhole(content, contentType),
    )
  })
})

describe('[BND-4] headings in great number', () => {
  test.each([
    ['Markdown', 'text/markdown', (count: number) => '# A\n\nWords.\n'.repeat(count)],
    ['HTML', 'text/html', (count: number) => '<h1>A</h1>Words.'.repeat(count)],
  ] as const)('of %s begin 10 000 passages, and nothing of the text is lost', async (_, type, textOf) => {
    const { outcome, passages } = await readWhole(textOf(30_000), type)
    expect(outcome).toEqual({ kind: 'read' })
    expect(passages.length).toBeGreaterThan(9_000)
    expect(passages.length).toBeLessThan(11_000)
    expect(passages.map(({ content }) => content.match(/Words/g)?.length ?? 0).reduce((a, b) => a + b)).toBe(
      30_000,
    )
    expect(passages[9000]?.label).toBe('A')
    expect(passages.at(-1)?.label).toBeNull()
  })
})

describe('[BND-4] a file whose sender has left', () => {
  test.each(['text/markdown', 'text/html'] as const)('of type %s is read no further', async (contentType) => {
    const left = new AbortController()
    let stored = 0
    const bytes = Buffer.from('<h1>A</h1><p>Words.</p>\n\n# A\n\n'.repeat(30_000))
    const reading = makeReader().read({
      organizationId: 'organization',
      contentType,
      sizeBytes: bytes.length,
      content: (async function* () {
        for (let start = 0; start < bytes.length; start += 10_000) yield bytes.subarray(start, start + 10_000)
      })(),
      signal: left.signal,
      onPassages: async (passages) => {
        stored += passages.length
        left.abort(new Error('They have left.'))
      },
    })
    await expect(reading).rejects.toThrow('They have left.')
    expect(stored).toBeLessThan(1000)
  })
})
