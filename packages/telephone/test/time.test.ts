import { expect, test } from 'vitest'
import { systemTimers } from '#telephone/time.js'

test('a timer beyond the limit of Node does not fire at once', async () => {
  const fired: string[] = []
  const cancel = systemTimers.after(999_999_999_000, () => fired.push('long'))
  await new Promise<void>((resolve) => systemTimers.after(50, resolve))
  cancel()
  expect(fired).toEqual([])
})
