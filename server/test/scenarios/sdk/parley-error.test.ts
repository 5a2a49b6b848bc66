import { ParleyError } from '@parley/sdk'
import { expect, test } from 'vitest'

test('an error says whose it is', () => {
  expect(new ParleyError('no', { cause: 1 })).toMatchObject({ name: 'ParleyError', message: 'no', cause: 1 })
})
