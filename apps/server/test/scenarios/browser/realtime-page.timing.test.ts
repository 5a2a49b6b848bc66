import { expect, test } from 'vitest'
import { interruptDocumentedPage } from '../../support/browser/interrupted-page.js'

test('the documented page stops playback within 50 ms of an interruption [DOC-5]', {
  timeout: 120_000,
}, async () => {
  expect((await interruptDocumentedPage()).silentAfterMs).toBeLessThan(50)
})
