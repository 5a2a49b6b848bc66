import { describe, expect, test } from 'vitest'
import { describePlan, type PlannedChange } from '#agents-as-code/plan.js'

const plain = (_format: string, text: string) => text

/** Returns the lines about one changed field. */
function linesFor(before: unknown, after: unknown): string[] {
  const change: PlannedChange = {
    ...{ action: 'update', kind: 'agents', externalId: 'desk', name: 'desk', id: 'id', etag: 'etag' },
    ...{ file: null, line: null, notes: [], fields: [{ path: 'text', before, after }] },
  }
  const plan = { format: 'parley-plan-1', url: '', organizationId: '', set: 'hotel' } as const
  const lines = describePlan({ ...plan, changes: [change], unchanged: 0, left: [] }, plain)
  return lines.slice(1, lines.indexOf(''))
}

const sentence = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

describe('a changed text in a plan [CODE-15]', () => {
  test('shows the changed words of a long text with a few words around them', () => {
    const text = (price: number) => `${sentence(40)} costs ${price} euros "today" ${sentence(40)}`
    expect(linesFor(text(17), text(18))).toEqual([
      '    text:',
      '      … word36 word37 word38 word39 costs [-17-]{+18+} euros "today" word0 word1 word2 …',
    ])
  })

  test('keeps the lines of a text', () => {
    const text = (day: string) =>
      `You are the front desk of a small hotel.\nBreakfast is on ${day}.\nBe brief and kind.`
    expect(linesFor(text('Monday'), text('Tuesday'))).toEqual([
      '    text:',
      '      … small hotel.',
      '      Breakfast is on [-Monday.-]{+Tuesday.+}',
      '      Be brief and kind.',
    ])
  })

  test('shows texts that have little in common one after the other', () => {
    const [before, after] = [sentence(20), sentence(20).replaceAll('word', 'term')]
    expect(linesFor(before, after)).toEqual([`    text: ${before} → ${after}`])
  })

  test('does not escape quotes, and names an empty text', () => {
    expect(linesFor('say "yes"', '')).toEqual(['    text: say "yes" → (empty)'])
  })
})
