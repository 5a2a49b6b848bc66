import type { SettingTable } from './setting.js'
import { wholeNumber } from './setting-schemas.js'

/** How long finished work is kept. */
export const retentionSettings = {
  PARLEY_KEEP_IDEMPOTENCY_HOURS: {
    default: '24',
    schema: wholeNumber(1, 168),
    about: 'How long the response to a request is kept under its Idempotency-Key.',
  },
  PARLEY_KEEP_TURN_EVENTS_HOURS: {
    default: '24',
    schema: wholeNumber(1, 168),
    about: 'How long the events of a question can be read after its answer.',
  },
  PARLEY_KEEP_WEBHOOK_DELIVERIES_DAYS: {
    default: '30',
    schema: wholeNumber(1, 3650),
    about: 'How long webhook deliveries are kept after they have ended, up to 10000 for each webhook.',
  },
  PARLEY_KEEP_ENDED_DAYS: {
    default: '90',
    // Must exceed the lifetime of an Idempotency-Key, which may refer to a turn.
    schema: wholeNumber(7, 36_500),
    about: 'How long ended sessions and turns, unused tickets, finished approvals and deleted rows are kept.',
  },
  PARLEY_KEEP_AUDIT_DAYS: {
    default: null,
    schema: wholeNumber(7, 36_500),
    about:
      'How long audit records are kept. By default they are kept permanently. The rest of the chain stays verifiable after a removal.',
  },
  PARLEY_KEEP_USAGE_DAYS: {
    default: '90',
    schema: wholeNumber(2, 36_500),
    about: 'How long individual usage records are kept. Daily totals are kept permanently.',
  },
} as const satisfies SettingTable
