import { describe, test } from 'vitest'
import { concealerOf } from '#server/adapters/secret-redaction/conceal-secrets.js'
import { expectLinear } from '../../support/growth.js'

describe('the search for secrets', () => {
  const attributes = (header: number) =>
    Array.from({ length: 800 }, (_, index) => `a=${(header * 1000 + index).toString(36).padStart(6, 'b')}`)
  const many = Array.from({ length: 50 }, (_, header) => attributes(header).join(';'))
  const values = [
    `Bearer ${'a'.repeat(2000)}b`,
    `b${'a'.repeat(8000)}`,
    `${'a'.repeat(4000)}b${'a'.repeat(4000)}`,
  ]
  const few = Array.from({ length: 10 }, (_, at) => `key-${at}-${'ab'.repeat(40)}`)

  test.each(['a', 'ab', 'b', 'YWFh', '61', 'aB%61'])(
    'takes time in proportion to the text: repeated %j [BND-10]',
    async (unit) => {
      const concealer = concealerOf([...values, ...few])
      await expectLinear((factor) => unit.repeat((4000 * factor) / unit.length), concealer)
    },
  )

  test('takes no longer for many secrets than for few [BND-10]', async () => {
    // Searching for sixteen thousand spellings one at a time would take sixteen thousand searches.
    const [one, all] = [concealerOf(many.slice(0, 1)), concealerOf(many)]
    const text = 'b'.repeat(64 * 1024)
    await expectLinear(
      (factor) => (factor === 1 ? one : all),
      (concealer) => concealer(text),
    )
  })
})
