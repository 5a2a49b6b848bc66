import { describe, expect, test } from 'vitest'
import { findError } from '#sdk/realtime/check-arguments.js'

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 2, pattern: '^[A-Z]' },
    days: { type: 'integer', minimum: 1, maximum: 7 },
    unit: { enum: ['C', 'F'] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    note: { type: ['string', 'null'] },
    kind: { const: 'weather' },
  },
  required: ['city'],
  additionalProperties: false,
}

describe('The argument check of client tools', () => {
  test.each([
    { city: 'Paris' },
    { city: 'Rome', days: 3, unit: 'C', tags: ['a'], note: null, kind: 'weather' },
  ])('accepts %j [SDK-24]', (given) => expect(findError(given, schema)).toBeNull())

  test.each([
    [{}, 'arguments.city is required.'],
    [{ city: 1 }, 'arguments.city must be of type string.'],
    [{ city: 'P' }, 'arguments.city must have at least 2 characters.'],
    [{ city: 'paris' }, 'arguments.city must match ^[A-Z].'],
    [{ city: 'Paris', days: 1.5 }, 'arguments.days must be of type integer.'],
    [{ city: 'Paris', days: 9 }, 'arguments.days must be at most 7.'],
    [{ city: 'Paris', unit: 'K' }, 'arguments.unit must be one of ["C","F"].'],
    [{ city: 'Paris', tags: ['a', 1] }, 'arguments.tags[1] must be of type string.'],
    [{ city: 'Paris', tags: ['a', 'b', 'c'] }, 'arguments.tags must have at most 2 items.'],
    [{ city: 'Paris', note: 1 }, 'arguments.note must be of type string or null.'],
    [{ city: 'Paris', kind: 'x' }, 'arguments.kind must be "weather".'],
    [{ city: 'Paris', more: 1 }, 'arguments.more is not a known field.'],
  ])('rejects %j with a reason [SDK-24]', (given, error) => expect(findError(given, schema)).toBe(error))
})
