import type { SettingTable } from './setting.js'
import { wholeNumber } from './setting-schemas.js'

/** How long what is over is kept. */
export const retentionSettings = {
  PARLEY_KEEP_IDEMPOTENCY_HOURS: {
    default: '24',
    schema: wholeNumber(1, 168),
    about: 'How long the answer to a request is kept under its Idempotency-Key.',
  },
  PARLEY_KEEP_TURN_EVENTS_HOURS: {
    default: '24',
    schema: wholeNumber(1, 168),
    about: 'How long the events of a question can be followed after its answer.',
  },
  PARLEY_KEEP_WEBHOOK_DELIVERIES_DAYS: {
    default: '30',
    schema: wholeNumber(1, 3650),
    about: 'How long deliveries of webhooks are kept after they have ended; at most 10000 for each webhook.',
  },
  PARLEY_KEEP_ENDED_DAYS: {
    default: '90',
    // Longer than an Idempotency-Key may lead to a turn.
    schema: wholeNumber(7, 36_500),
    about: 'How long ended sessions and turns, unused tickets, finished approvals and deleted rows are kept.',
  },
  PARLEY_KEEP_AUDIT_DAYS: {
    default: null,
    schema: wholeNumber(7, 36_500),
    about:
      'How long audit records are kept; unset, for good. The chain stays verifiable behind what was removed.',
  },
  PARLEY_KEEP_USAGE_DAYS: {
    default: '90',
    schema: wholeNumber(2, 36_500),
    about: 'How long the single records of what models used are kept; the sums of each day stay.',
  },
} as const satisfies SettingTable
