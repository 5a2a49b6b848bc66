import { expect, test } from 'vitest'
import { interruptDocumentedPage } from '../../support/browser/interrupted-page.js'

test('the documented page stops playback on an interruption and reports how much was heard [DOC-5]', {
  timeout: 120_000,
}, async () => {
  const { truncated, offMs, pageErrors } = await interruptDocumentedPage()
  expect(truncated).toMatchObject({ item_id: 'item_1', content_index: 0 })
  // Counted in samples. If playback continued, the count would differ by seconds.
  expect(Math.abs(offMs)).toBeLessThan(30)
  expect(pageErrors).toEqual([])
})
