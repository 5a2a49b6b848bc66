import { describe, test } from 'vitest'
import { fillBody } from '#server/adapters/http-tools/fill-body.js'
import { fillUrl } from '#server/adapters/http-tools/fill-url.js'
import { expectLinear } from '../../support/growth.js'
import { onlyArguments } from '../../support/tools/invocations.js'

const template = 'https://tool.example.com/{a}/x?q={a}'

describe('building the request of a tool [BND-1]', () => {
  test.each([
    ['plain', (size: number) => 'a'.repeat(size)],
    ['characters that must be encoded', (size: number) => '%'.repeat(size)],
    ['nested percent-encoding', (size: number) => `${'%25'.repeat(size / 3)}2e`],
    ['dots and slashes', (size: number) => '../'.repeat(size / 3)],
    ['placeholders', (size: number) => '{a}'.repeat(size / 3)],
    ['braces', (size: number) => '{'.repeat(size)],
  ])('takes time in proportion to the arguments: %s', async (_, textOf) => {
    await expectLinear(
      (factor) => onlyArguments({ a: textOf(8000 * factor) }),
      (values) => {
        fillUrl(template, [['r', 'x{a}y']], values)
        fillBody({ whole: '{a}', part: 'x{a}y', list: ['{a}', '{b}'] }, values)
      },
    )
  })

  test('takes time in proportion to the number of placeholders', async () => {
    await expectLinear(
      (factor) => '{a}{b}x'.repeat(1000 * factor),
      (body) => fillBody({ body }, onlyArguments({ a: 'one', b: 2 })),
    )
  })
})
