import { describe, expect, test } from 'vitest'
import { makeReader, readWhole } from '../../support/files/file-text.js'

describe('a file with very many headings [BND-4]', () => {
  test.each([
    ['Markdown', 'text/markdown', (count: number) => '# A\n\nWords.\n'.repeat(count)],
    ['HTML', 'text/html', (count: number) => '<h1>A</h1>Words.'.repeat(count)],
  ] as const)('is cut into 10 000 passages without losing text if it is %s', async (_, type, textOf) => {
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

describe('a file whose sender has disconnected [BND-4]', () => {
  test.each(['text/markdown', 'text/html'] as const)(
    'is not read any further if its type is %s',
    async (contentType) => {
      const left = new AbortController()
      let stored = 0
      // 6000 passages. HTML is parsed completely before the first of them, so more would only take longer.
      const bytes = Buffer.from('<h1>A</h1><p>Words.</p>\n\n# A\n\n'.repeat(6000))
      const reading = makeReader().read({
        organizationId: 'organization',
        contentType,
        sizeBytes: bytes.length,
        content: (async function* () {
          for (let start = 0; start < bytes.length; start += 10_000)
            yield bytes.subarray(start, start + 10_000)
        })(),
        signal: left.signal,
        onPassages: async (passages) => {
          stored += passages.length
          left.abort(new Error('They have left.'))
        },
      })
      await expect(reading).rejects.toThrow('They have left.')
      expect(stored).toBeLessThan(1000)
    },
  )
})
