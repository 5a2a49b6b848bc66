import { expect, test } from 'vitest'
import { splitTime } from '#server/domain/usage/usages.js'

const now = new Date('2030-05-10T12:00:00.000Z')
const split = (from: string, to: string) =>
  splitTime({ from: new Date(from), to: new Date(to), now, recordDays: 400 })

test('uses four-digit years up to the last time that a query accepts [USE-6]', () => {
  const lastMoment = '9999-12-31T23:59:59.999Z'
  const { days, parts } = split('2030-05-01T00:00:00.000Z', lastMoment)
  expect([days, parts]).toEqual([{ from: '2030-05-01', to: '9999-12-31' }, []])
  expect(split('9999-12-31T12:00:00.000Z', lastMoment).days).toEqual({ from: '9999-12-31', to: '9999-12-31' })
})
