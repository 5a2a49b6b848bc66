import { once } from 'node:events'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PassageCutter } from '#server/adapters/file-text/passage-cutter.js'
import { makeReader, type ReadFile, readWhole } from '../../support/files/file-text.js'
import { makePdf } from '../../support/files/large-files.js'
import { makeDocx } from '../../support/files/zip-files.js'

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const sentence = 'The roof was mended in spring, and the gutters were cleaned as well. '

describe('passages of a text [FILE-7]', () => {
  const cut = (...pieces: readonly string[]) => {
    const cutter = new PassageCutter()
    return [...pieces.flatMap((piece) => cutter.add(piece)), ...cutter.end()].map(({ content }) => content)
  }

  test('lose no text, are never too long, and split no character', () => {
    const word = fc.constantFrom(
      'a',
      'word',
      '. ',
      '\n',
      '\n\n',
      '🙂',
      '漢字。',
      'x'.repeat(700),
      '"quoted." ',
    )
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 300 }),
        fc.integer({ min: 1, max: 500 }),
        (words, pieceLength) => {
          const text = `.${words.join('')}`.replaceAll(/\s{3,}/g, '\n\n').toWellFormed()
          const characters = [...text]
          const pieces: string[] = []
          for (let start = 0; start < characters.length; start += pieceLength)
            pieces.push(characters.slice(start, start + pieceLength).join(''))
          const passages = cut(...pieces)
          expect(passages.join('').trimEnd()).toBe(text.trimEnd())
          for (const passage of passages) {
            expect(passage.length).toBeLessThanOrEqual(1200)
            expect(passage.isWellFormed()).toBe(true)
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  test.each([
    ['at an empty line', `${sentence.repeat(12)}\n\n${sentence.repeat(12)}`, /well\. \n\n$/],
    ['at the end of a sentence', sentence.repeat(40), /as well\. $/],
    ['at the end of a line', `${'words without an end\n'.repeat(100)}`, /end\n$/],
    ['between words', 'words without an end '.repeat(100), / $/],
  ])('end %s', (_, text, ending) => {
    const [first = '', second = ''] = cut(text)
    expect(first).toMatch(ending)
    expect(first.length).toBeGreaterThan(400)
    expect(second).not.toMatch(/^\s/)
  })

  test.each(['\u{1F642}'.repeat(2000), 'x'.repeat(5000)])(
    'are cut to length if the text has no boundary',
    (text) => {
      const passages = cut(text)
      expect(passages.join('')).toBe(text)
      for (const passage of passages) expect(passage.isWellFormed()).toBe(true)
    },
  )
})

describe('readText [FILE-7]', () => {
  const cases: readonly (readonly [
    title: string,
    type: ReadFile['contentType'],
    content: () => Promise<Buffer | string>,
    passages: object,
  ])[] = [
    ['plain text', 'text/plain', async () => 'One.\nTwo.', [{ label: null, content: 'One.\nTwo.' }]],
    [
      'text with a UTF-8 byte order mark',
      'text/plain',
      async () => '\ufeffOne.',
      [{ label: null, content: 'One.' }],
    ],
    [
      'text in UTF-16',
      'text/plain',
      async () => Buffer.from('\ufeffGrün 🙂.', 'utf16le'),
      [{ label: null, content: 'Grün 🙂.' }],
    ],
    [
      'text in big-endian UTF-16',
      'text/csv',
      async () => Buffer.from('\ufeffa;ü', 'utf16le').swap16(),
      [{ label: null, content: 'a;ü' }],
    ],
    [
      'Markdown, by its headings',
      'text/markdown',
      async () => 'Before.\n# Roof #\nMended.\n```\n# no heading\n```\n## Gutters\nCleaned.',
      [
        { label: null, content: 'Before.\n' },
        { label: 'Roof', content: '# Roof #\nMended.\n```\n# no heading\n```\n' },
        { label: 'Gutters', content: '## Gutters\nCleaned.' },
      ],
    ],
    [
      'HTML, by its headings and without its scripts',
      'text/html',
      async () =>
        '<head><style>p{}</style></head><p>Before \u0001 it.</p><h1>The <b>roof</b></h1><p>Mended.</p><script>alert(1)</script><h2>Costs</h2><table><tr><td>Tiles</td><td>200</td></tr><tr><td>Work</td><td>500</td></tr></table>',
      [
        { label: null, content: expect.stringMatching(/^Before\s+it\.\s*$/) },
        { label: 'The roof', content: expect.stringMatching(/^The roof\n+Mended\.\s*$/) },
        {
          label: 'Costs',
          content: expect.stringMatching(/^Costs\n+Tiles \| 200 \|\s*\n+Work \| 500 \|\s*$/),
        },
      ],
    ],
    [
      'a PDF, by its pages',
      'application/pdf',
      () => makePdf(['The roof\nis new.', '', 'Gutters.']),
      [
        { label: 'page 1', content: 'The roof\nis new.' },
        { label: 'page 3', content: 'Gutters.' },
      ],
    ],
    [
      'a Word document, by its headings',
      docx,
      () => makeDocx({ 'The roof': 'Mended in spring.', Gutters: 'Cleaned.' }),
      [
        { label: 'The roof', content: expect.stringContaining('Mended in spring.') },
        { label: 'Gutters', content: expect.stringContaining('Cleaned.') },
      ],
    ],
  ]

  test.each(cases)('reads %s', async (_, type, content, passages) => {
    expect(await readWhole(await content(), type)).toEqual({ outcome: { kind: 'read' }, passages })
  })
})

describe('limits of the reader [FILE-6]', () => {
  const page = `<h1>A</h1>${'<p>Some <b>words</b>.</p>'.repeat(40_000)}`

  test.each([
    ['time', { maxMilliseconds: 700 }, `${'<div>'.repeat(200_000)}deep`, /too long/],
    ['heap', { maxHeapMegabytes: 20 }, page.repeat(4), /too much memory/],
    ['memory', { maxMemoryBytes: 20 * 1024 * 1024 }, page.repeat(4), /too much memory/],
    ['text', { maxCharacters: 50_000 }, page, /more than 50000 characters/],
  ])('the reader gives up a file that exceeds the limit for %s', async (_, tuning, content, why) => {
    const { outcome } = await readWhole(content, 'text/html', makeReader(tuning))
    expect(outcome).toEqual({ kind: 'unreadable', detail: expect.stringMatching(why) })
  })

  test('the reader limits how many files it reads at once', async () => {
    const reader = makeReader({ atOnce: 1, maxWaiting: 1 })
    const outcomes = await Promise.all([1, 2, 3].map(() => readWhole('<p>Words.', 'text/html', reader)))
    expect(outcomes.map(({ outcome }) => outcome.kind).sort()).toEqual(['busy', 'read', 'read'])
  })

  test('the reader limits waiting files per organization, and organizations take turns [BND-5]', async () => {
    const reader = makeReader({ atOnce: 1, maxWaitingPerOwner: 2 })
    const many = [1, 2, 3, 4, 5].map(() => readWhole('<p>Words.', 'text/html', reader, 'busy'))
    const other = readWhole('<p>Words.', 'text/html', reader, 'other')
    expect((await other).outcome.kind).toBe('read')
    const kinds = (await Promise.all(many)).map(({ outcome }) => outcome.kind).sort()
    expect(kinds).toEqual(['busy', 'busy', 'read', 'read', 'read'])
  })

  test('the reader limits concurrent files per organization and leaves a slot for others [BND-5]', async () => {
    const reader = makeReader()
    const over = new AbortController()
    // The rest of the file never arrives, and the file occupies its slot the whole time.
    async function* unfinished() {
      yield Buffer.from('<p>Words')
      await once(over.signal, 'abort')
    }
    const slow = [1, 2, 3, 4].map(() =>
      reader.read({
        ...{ organizationId: 'busy', contentType: 'text/html', sizeBytes: 100, content: unfinished() },
        signal: over.signal,
        onPassages: async () => undefined,
      }),
    )
    const other = readWhole('<p>Words.', 'text/html', reader, 'other').then(({ outcome }) => outcome)
    expect((await Promise.race([other, ...slow])).kind).toBe('read')
    over.abort()
    await Promise.allSettled(slow)
  })

  test('the reader limits the waiting time of a file', async () => {
    const reader = makeReader({ atOnce: 1, maxWaitMilliseconds: 1 })
    const outcomes = await Promise.all([1, 2].map(() => readWhole('<p>Words.', 'text/html', reader)))
    expect(outcomes.map(({ outcome }) => outcome.kind).sort()).toEqual(['busy', 'read'])
  })
})
